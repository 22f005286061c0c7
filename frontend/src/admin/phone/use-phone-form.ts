// The state of the form of a request by phone: what is typed is kept as a draft, checked by the
// rules, and sent once.
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/admin-client';
import { readPhoneDraft, takePhoneRequest } from '../../api/inbox';
import type { RequestItem } from '../../api/inbox-types';
import { discardKey, idempotencyKey } from '../../forms/idempotency-key';
import { type FieldValues, validate } from '../../forms/rules';
import { toast } from '../../ui/toast';
import { fill } from '../panel/desk-form';
import { keepDraft, readDraft, submitDraft } from '../panel/drafts';
import { useAuth } from '../session/provider';
import { focusField, formValues } from '../ui/field';
import { errorMessage } from '../ui/use-submit';
import { phoneBody, phoneErrors, phoneRules } from './phone-rules';
import { promiseOf } from './promise';

/** In place of a request's id, and the name of the form. */
const draftName = 'phone';

export function usePhoneForm(stored: (request: RequestItem) => void) {
  const { manager } = useAuth();
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldValues>({});
  const [alert, setAlert] = useState('');
  const [sending, setSending] = useState(false);
  const [typed, setTyped] = useState({ phone: '', email: '' });

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

  const valuesOf = () => (form.current ? formValues(form.current) : {});

  /** Writes values into the fields that are empty. */
  function write(values: FieldValues) {
    if (form.current) fill(form.current, values);
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
    if (form.current) focusField(form.current, 'serviceType');
  }

  function show(found: FieldValues) {
    setErrors(found);
    const first = form.current?.querySelector<HTMLElement>(
      Object.keys(found)
        .map((name) => `[name="${name}"]`)
        .join() || 'none',
    );
    first?.focus();
  }

  /** Stores the request; what is sent again with the same `key` is stored once. */
  async function send(body: Record<string, string | boolean>, key: string) {
    const request = await submitDraft(draftName, draftName, () =>
      manager.withToken(takePhoneRequest, body, key),
    );
    discardKey(draftName);
    const { title = '', detail = '' } = phoneRules.outcomes.sent ?? {};
    toast({ title, detail: `${request.reference}: ${detail}` });
    stored(request);
  }

  async function submit(event: { preventDefault(): void }) {
    event.preventDefault();
    if (sending) return;
    const typed = valuesOf();
    const { values, errors: found } = validate(phoneRules, typed);
    show(found);
    setAlert('');
    if (Object.keys(found).length > 0) return setAlert('Some fields need another look.');
    const promise = promiseOf(typed, new Date());
    if (typeof promise === 'string') return setAlert(promise);
    setSending(true);
    try {
      const acknowledge = typed.acknowledge === 'on' && values.email !== '';
      // Of what was typed: the time of a promise for "today" may change at each attempt.
      const key = idempotencyKey(draftName, JSON.stringify(typed));
      await send({ ...phoneBody(values), acknowledge, ...promise }, key);
    } catch (error) {
      const fields = error instanceof ApiError ? phoneErrors(error.details.fields ?? {}) : {};
      show(fields);
      setAlert(errorMessage(error));
    } finally {
      setSending(false);
    }
  }

  function edited({ target }: { target: EventTarget | null }) {
    const { name } = target as HTMLInputElement;
    if (errors[name]) setErrors(({ [name]: _, ...rest }) => rest);
    keepDraft(draftName, draftName, valuesOf());
    look();
  }

  /** Checks a field that is left. */
  function left({ target }: { target: EventTarget | null }) {
    const { name, value } = target as HTMLInputElement;
    if (!value || !form.current) return;
    const message = validate(phoneRules, valuesOf()).errors[name];
    setErrors(({ [name]: _, ...rest }) => (message ? { ...rest, [name]: message } : rest));
  }

  function sendByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.current?.requestSubmit();
  }

  return {
    errors,
    alert,
    sending,
    typed,
    take,
    form: {
      ref: form,
      noValidate: true,
      onSubmit: submit,
      onInput: edited,
      onFocusOut: left,
      onKeyDown: sendByKey,
    },
  } as const;
}
