// The head of the open request: who, what, when, where and what was promised, with the ways to the
// others of the list and the reference to say on the phone.

import type { RequestItem } from '../../api/inbox';
import { Button, ButtonLink } from '../../ui/button';
import { Icon } from '../../ui/icon';
import { AssignSelect } from '../list/bulk-bar';
import type { Viewer } from '../live/live-stream';
import { Badge } from '../requests/badge';
import {
  ago,
  dateTime,
  durationLabel,
  personName,
  serviceLabel,
  startDay,
  telLink,
  timeLeft,
} from '../requests/format';
import { useAuth } from '../session/provider';
import { me } from '../state/use-changes';
import { useDesk } from '../state/use-desk';
import { copyText } from '../ui/save-file';
import { MapLink } from './facts';

export function PanelHead({ request }: { request: RequestItem }) {
  const { now, heading, close, walk, openForm } = useDesk();
  const [previous, next] = [walk(-1), walk(1)];
  const { kind, company, location, start_date: start, duration } = request;
  return (
    <header className="panel-head">
      <div className="panel-top">
        <Button look="quiet" className="panel-back" onClick={close}>
          <Icon name="close" />
          Close
        </Button>
        <Button look="quiet" disabled={!previous} onClick={previous}>
          Previous
        </Button>
        <Button look="quiet" disabled={!next} onClick={next}>
          Next
        </Button>
        <span className="panel-kind">
          {kind === 'quote' ? 'Quote request' : 'Contact message'} <Badge status={request.status} />
        </span>
        <Reference text={request.reference} />
      </div>
      <div className="head-line head-who">
        <h2 id="panel-title" ref={heading} tabIndex={-1}>
          {`${request.first_name} ${request.last_name}`}
        </h2>
        {company ? <span className="panel-company">{company}</span> : null}
        <Promised request={request} now={now} />
      </div>
      <p className="head-line head-what">
        <strong>{serviceLabel(request)}</strong>
        {location ? (
          <span>
            {location} <MapLink location={location} />
          </span>
        ) : null}
        {start ? <span title={start}>Starts {startDay(start, now).replace(/^To/, 'to')}</span> : null}
        {duration ? <span>{durationLabel(duration)}</span> : null}
        {request.held ? null : (
          <Button look="quiet" className="edit-open" onClick={() => openForm('edit')}>
            Edit details
          </Button>
        )}
      </p>
      <div className="head-line">
        <Reach request={request} />
        <Assignment request={request} />
      </div>
    </header>
  );
}

/** How the customer is reached. */
function Reach({ request }: { request: RequestItem }) {
  const { openForm } = useDesk();
  const { phone, email } = request;
  return (
    <div className="panel-reach">
      {phone ? (
        <ButtonLink href={telLink(phone)} look={request.emergency_contact ? 'signal' : 'line'}>
          <Icon name="phone" />
          {phone}
        </ButtonLink>
      ) : (
        <p className="muted">No phone number was given.</p>
      )}
      {email ? (
        <a className="panel-mail" href={mailtoLink(email)}>
          <Address of={email} />
        </a>
      ) : (
        <p className="muted">
          No email address was given.{' '}
          {request.held ? null : (
            <Button look="quiet" className="edit-open" onClick={() => openForm('edit')}>
              Add an email address
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

/** An address that is too long for its line breaks before its domain. */
function Address({ of }: { of: string }) {
  const at = of.lastIndexOf('@');
  return (
    <span>
      {of.slice(0, at)}
      <wbr />
      {of.slice(at)}
    </span>
  );
}

/** The reference; a press copies it. */
function Reference({ text }: { text: string }) {
  const copy = () => copyText(text, text, `Select ${text} and copy it.`);
  return (
    <Button look="quiet" className="reference" title="Copy the reference" onClick={copy}>
      <span className="visually-hidden">Copy the reference </span>
      {text}
    </Button>
  );
}

/** When the customer was answered, or until when an answer was promised. */
function Promised({ request, now }: { request: RequestItem; now: number }) {
  const { emergency_contact: urgent, answered_at: answered } = request;
  const left = timeLeft(request, now);
  const due = request.due_at ? [urgent ? 'Call due' : 'Answer due', dateTime(request.due_at)] : [];
  const [name, at] = answered ? [urgent ? 'Reached' : 'Answered', ago(answered, now)] : due;
  return (
    <p className="panel-promise">
      {urgent ? (
        <strong className="panel-urgent">
          <Icon name="alert" />
          {request.awaits_call ? 'Call now: not reached yet.' : 'Asked for a call right away.'}
        </strong>
      ) : null}
      <span>
        <span className="muted">{name}</span> {at}
        {left ? <strong className={left.overdue ? 'overdue' : undefined}> ({left.text})</strong> : null}
      </span>
    </p>
  );
}

/**
 * The `mailto:` link to an address. Both parts are encoded: a visitor may type an address such as
 * `ann?bcc=eve%40evil.example@tower.example`, which must preset nothing.
 */
export function mailtoLink(address: string): string {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)];
  return `mailto:${encodeURIComponent(local)}@${encodeURIComponent(domain)}`;
}

/** Who has the request: take it, hand it over, release it. And who else has it open just now. */
function Assignment({ request }: { request: RequestItem }) {
  const { user } = useAuth();
  const { people, changes, actions } = useDesk();
  const busy = changes.busy.has(request.id);
  const assign = (assignee: string | null) => actions.assign(request, assignee);
  const { assignee } = request;
  const mine = assignee != null && assignee.id === user?.id;
  return (
    <div className="assignment">
      <p>{assignee ? `Assigned to ${mine ? 'you' : personName(assignee)}` : 'Assigned to nobody'}</p>
      {assignee ? null : (
        <Button look="line" className="button-small" disabled={busy} onClick={() => assign(me)}>
          Take it
        </Button>
      )}
      {mine ? (
        <Button look="line" className="button-small" disabled={busy} onClick={() => assign(null)}>
          Give it back
        </Button>
      ) : null}
      <AssignSelect label="Hand over" people={people} assign={assign} />
    </div>
  );
}

export function Presence() {
  const { others } = useDesk();
  const writing = others.filter(({ replying }) => replying);
  const reading = others.filter(({ replying }) => !replying);
  const texts = [
    said(writing, 'is replying', 'are replying'),
    said(reading, 'has this open', 'have this open'),
  ];
  return (
    <p className={writing.length > 0 ? 'presence presence-replying' : 'presence'} role="status">
      {texts.filter(Boolean).join('; ')}
    </p>
  );
}

function said(people: Viewer[], one: string, several: string): string {
  if (people.length === 0) return '';
  const list = new Intl.ListFormat('en-US').format(people.map(personName));
  return `${list} ${people.length === 1 ? one : several}`;
}
