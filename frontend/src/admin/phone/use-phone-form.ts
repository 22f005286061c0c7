// The state of the form of a request by phone: what is typed is kept as a draft, checked by the
// rules, and sent once.

import phone from '@seeds/forms/phone.json';
import { useEffect, useState } from 'react';
import { type RequestItem, readPhoneDraft, takePhoneRequest } from '../../api/inbox';
import { serverNow } from '../../api/server-clock';
import { discardKey, idempotencyKey } from '../../forms/idempotency-key';
import { type FieldValues, type FormRules, validate } from '../../forms/rules';
import { toast } from '../../ui/toast';
import { bodyOf, byField, deskRules, fill, useDeskForm } from '../panel/desk-form';
import { useAuth } from '../session/provider';
import { keepDraft, readDraft, submitDraft } from '../state/drafts';
import { focusField, formValues } from '../ui/field';
import { FormFault } from '../ui/use-submit';
import { promiseOf } from './promise-field';

/** The form of a request by phone. */
export const phoneRules: FormRules = deskRules(phone);

export const phoneBody = (values: FieldValues) => bodyOf(phoneRules, values);

export const phoneErrors = (fields: Record<string, string>) => byField(phoneRules, fields);

/** In place of a request's id, and the name of the form. */
const draftName = 'phone';

export function usePhoneForm(stored: (request: RequestItem) => void) {
  const { manager } = useAuth();
  const [typed, setTyped] = useState({ phone: '', email: '' });
  const { form, setMessages, ...state } = useDeskForm({
    rules: phoneRules,
    first: 'phone',
    send,
    errorsOf: phoneErrors,
  });
  const { ref } = form;
  const valuesOf = () => (ref.current ? formValues(ref.current) : {});

  useEffect(() => {
    const kept = readDraft(draftName, draftName);
    if (Object.keys(kept).length > 0) return write(kept);
    manager
      .withToken(readPhoneDraft)
      .then(({ draft }) => {
        if (draft) write(draft.fields);
      })
      // Without the draft, the form is empty.
      .catch(() => {});
  }, [manager]);

  /** Writes values into the fields that are empty. */
  function write(values: FieldValues) {
    if (ref.current) fill(ref.current, values);
    look();
  }

  function look() {
    const { phone = '', email = '' } = valuesOf();
    setTyped({ phone, email });
  }

  /** Takes over what is known of a customer; the next field to fill in has the focus. */
  function take(values: FieldValues) {
    write(values);
    keepDraft(draftName, draftName, valuesOf());
    if (ref.current) focusField(ref.current, 'serviceType');
  }

  /** Stores the request; what is sent again with the same key is stored once. */
  async function send(values: FieldValues, typed: FieldValues) {
    const promise = promiseOf(typed, new Date(serverNow()));
    if (typeof promise === 'string') throw new FormFault(promise);
    const acknowledge = typed.acknowledge === 'on' && values.email !== '';
    const body = { ...phoneBody(values), acknowledge, ...promise };
    // Of what was typed: the time of a promise for "today" may change at each attempt.
    const key = idempotencyKey(draftName, JSON.stringify(typed));
    const request = await submitDraft(draftName, draftName, () =>
      manager.withToken(takePhoneRequest, body, key),
    );
    discardKey(draftName);
    const { title = '', detail = '' } = phoneRules.outcomes.sent ?? {};
    toast({ title, detail: `${request.reference}: ${detail}` });
    stored(request);
  }

  function edited(event: { target: EventTarget | null }) {
    form.onInput(event);
    keepDraft(draftName, draftName, valuesOf());
    look();
  }

  /** Checks a field that is left. */
  function left({ target }: { target: EventTarget | null }) {
    const { name, value } = target as HTMLInputElement;
    if (!value || !ref.current) return;
    const message = validate(phoneRules, valuesOf()).errors[name];
    setMessages(({ [name]: _, ...rest }) => (message ? { ...rest, [name]: message } : rest));
  }

  return { ...state, typed, take, form: { ...form, onInput: edited, onFocusOut: left } } as const;
}
