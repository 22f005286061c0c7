// A quote request that the dispatcher types while the customer talks, in the place of the open
// request.

import { useEffect, useRef, useState } from 'react';
import { type InboxPage, listRequests, type RequestItem } from '../../api/inbox';
import { CheckField, Field } from '../../forms/field';
import type { FieldValues } from '../../forms/rules';
import { Button } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { customer, isOpen, serviceLabel, telLink } from '../requests/format';
import { useAuth } from '../session/provider';
import { useDesk } from '../state/use-desk';
import { FieldError } from '../ui/field';
import { PromiseField } from './promise-field';
import { phoneRules, usePhoneForm } from './use-phone-form';

export function PhoneForm() {
  const { closePhone, phoneStored } = useDesk();
  const { form, messages: errors, alert, sending, typed, take } = usePhoneForm(phoneStored);
  const fields = { rules: phoneRules, errors };
  const known = { caller: useKnownCustomer(typed), take };
  return (
    <aside className="request-panel" aria-labelledby="phone-title">
      <div className="panel-top">
        <Button look="quiet" className="panel-back" onClick={closePhone}>
          <Icon name="close" />
          Close
        </Button>
      </div>
      <h2 id="phone-title">Request by phone</h2>
      <p className="muted">
        A number, a name and what is needed are enough. What you type is kept until you store it.
      </p>
      <form {...form} className="panel-form phone-form" autoComplete="off" aria-labelledby="phone-title">
        <Field {...fields} name="phone" type="tel" inputMode="tel" />
        <KnownCustomer {...known} field="phone" />
        <Field {...fields} name="firstName" />
        <Field {...fields} name="lastName" />
        <Field {...fields} name="serviceType" />
        <CheckField rules={phoneRules} name="emergencyContact" />
        <PromiseField />
        <Field {...fields} name="location" hint="Street address, city or ZIP code of the site" />
        <Field {...fields} name="description" hint="Hours, number of guards, what to protect" />
        <Field {...fields} name="startDate" type="date" />
        <Field {...fields} name="duration" />
        <Field {...fields} name="company" />
        <Field {...fields} name="email" type="email" inputMode="email" />
        <KnownCustomer {...known} field="email" />
        <div className="field">
          <label className="field-check">
            <input type="checkbox" name="acknowledge" value="on" />
            Send the customer a confirmation by email
          </label>
        </div>
        <div className="panel-foot phone-foot">
          <FieldError role="alert" text={alert} />
          <Button type="submit" look="ink" disabled={sending} title="Ctrl+Enter">
            {sending ? 'Storing' : 'Store request'}
          </Button>
        </div>
      </form>
    </aside>
  );
}

type Props = {
  caller: KnownCaller;
  /** The field above. */
  field: KnownCaller['by'];
  /** Writes what is known into the fields that are empty. */
  take(values: FieldValues): void;
};

/** Who the caller is, by their earlier requests: below the field that names them. */
function KnownCustomer({ caller: { by, requests, more }, field, take }: Props) {
  const { hrefOf } = useDesk();
  const [last] = requests;
  const isShown = last !== undefined && by === field;
  const box = useRef<HTMLDivElement>(null);
  // The foot of the form would cover what appears below the last field.
  useEffect(() => {
    if (isShown) box.current?.scrollIntoView?.({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return <div role="status" />;
  const open = requests.filter(isOpen);
  const count = requests.length === 1 ? '1 request' : `${requests.length}${more ? '+' : ''} requests`;
  const newest = (value: (request: (typeof requests)[number]) => string | null | undefined) =>
    requests.map(value).find((text) => text) ?? '';
  return (
    <div ref={box} className="known-customer" role="status">
      <p>
        <strong>{customer(last)}</strong>: {count}, last {last.reference}
      </p>
      {open.length ? (
        <ul>
          {open.map((request) => (
            <li key={request.id}>
              <a href={hrefOf(request.id)}>
                {[request.reference, serviceLabel(request), request.location].filter(Boolean).join(', ')}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <Button
        look="line"
        className="button-small"
        onClick={() =>
          take({
            firstName: last.first_name,
            lastName: last.last_name,
            phone: last.phone || newest(({ phone }) => phone),
            email: last.email || newest(({ email }) => email),
            company: last.company || newest(({ company }) => company),
            location: newest(({ location }) => location),
          })
        }
      >
        Take name, company and address over
      </Button>
    </div>
  );
}

/** Milliseconds without a keystroke after which the caller is looked up. */
const pause = 250;
/** Milliseconds until an incomplete search is repeated. */
const again = 1000;
/** Requests of a caller that are counted. */
const most = 50;

/** A caller with earlier requests, newest first, and the field that names them. */
type KnownCaller = {
  by: Known['by'] | undefined;
  requests: RequestItem[];
  /** Whether there may be more requests. */
  more: boolean;
};

const unknown: KnownCaller = { by: undefined, requests: [], more: false };

/** Looks a caller up by their earlier requests, while the number or the address is typed. */
function useKnownCustomer({ phone, email }: Typed): KnownCaller {
  const { manager } = useAuth();
  const [caller, setCaller] = useState(unknown);
  const tried = knownBy({ phone, email });
  const key = tried.map(({ query }) => query).join('\n');
  useEffect(() => {
    setCaller(unknown);
    if (!key) return;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const search = (query: string): Promise<InboxPage> =>
      manager.withToken(listRequests, { q: query, limit: `${most}` }, abort.signal);
    const look = async () => {
      let incomplete = false;
      try {
        for (const known of tried) {
          const page = await search(known.query);
          const requests = page.requests.filter((request) => isOf(request, known));
          incomplete ||= page.search_incomplete;
          if (requests.length > 0) {
            return setCaller({ by: known.by, requests, more: page.next_cursor !== null });
          }
        }
        // The newest requests may be missing from the search.
        if (incomplete) timer = setTimeout(look, again);
      } catch {
        // Without an answer the form is that of an unknown customer.
      }
    };
    timer = setTimeout(look, pause);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [manager, key]);
  return caller;
}

function isOf(request: RequestItem, { by, query }: Known): boolean {
  if (by === 'email') return request.email.toLowerCase() === query.toLowerCase();
  return telLink(request.phone) === telLink(query);
}

// By what a caller is looked up: a number that is whole, or else an address.

type Typed = { phone: string; email: string };

/** The field by which a caller is looked up, and the words to search for. */
type Known = { by: keyof Typed; query: string };

/** Digits of the shortest number that is looked up. */
const minDigits = 10;

/** In the order in which they are tried; none if nothing typed is whole yet. */
export function knownBy({ phone, email }: Typed): Known[] {
  const isNumber = phone.replace(/\D/g, '').length >= minDigits;
  const isAddress = /^\S+@\S+\.[A-Za-z]{2,}$/.test(email.trim());
  return [
    ...(isNumber ? [{ by: 'phone' as const, query: phone.trim() }] : []),
    ...(isAddress ? [{ by: 'email' as const, query: email.trim() }] : []),
  ];
}
