// Submits one of the admin's forms: one request at a time, a message per field, and an error text.
import { useRef, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import { focusField, formValues } from './field';

export type FieldMessages = Record<string, string>;

/** The text of an error for the user. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'An unexpected error occurred.';
  if (error.status === 429) return rateLimited(error);
  return ownWords[error.code] ?? error.message;
}

/** Where there are no words or those of programs, by the codes: what happened, and what to do. */
const ownWords: Record<string, string> = {
  unreachable: 'We cannot be reached just now. Please try again.',
  unanswered: 'No answer came. It may have been done all the same: check before you try again.',
  user_banned: 'This account is blocked. Ask an admin to unblock it under Users.',
  mfa_verification_failed: 'This code is wrong or has expired. Type the one that the app shows now.',
};

function rateLimited({ details, message }: ApiError): string {
  return details.retryAfter ? `${message}. Please wait ${details.retryAfter} seconds.` : message;
}

/** The title of an error: `title`, if it is known that nothing was done. */
export function failureTitle(error: unknown, title: string): string {
  return hasErrorCode(error, 'unanswered') ? 'Not confirmed' : title;
}

type Sending = {
  /** Returns a message for each invalid field. */
  check(values: FieldMessages): FieldMessages;
  send(values: FieldMessages): Promise<void>;
  /** The field an error belongs to; without one the error is shown above the form. */
  fieldOf?(error: unknown): string | undefined;
  failed?(error: unknown): void;
};

/** `form` goes on the `<form>`, `messages` to its fields, `alert` over it. */
export function useSubmit({ check, send, fieldOf, failed }: Sending) {
  const form = useRef<HTMLFormElement>(null);
  const [messages, setMessages] = useState<FieldMessages>({});
  const [alert, setAlert] = useState('');
  const [sending, setSending] = useState(false);

  function show(found: FieldMessages) {
    setMessages(found);
    const first = Object.keys(found)[0];
    if (first && form.current) focusField(form.current, first);
  }

  function showError(error: unknown) {
    const field = fieldOf?.(error);
    if (failed) failed(error);
    else if (field) show({ [field]: errorMessage(error) });
    else setAlert(errorMessage(error));
  }

  async function submit(event: { preventDefault(): void }) {
    event.preventDefault();
    if (sending || !form.current) return;
    const values = formValues(form.current);
    const found = check(values);
    show(found);
    setAlert('');
    if (Object.keys(found).length > 0) return;
    setSending(true);
    try {
      await send(values);
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  }

  function edited({ target }: { target: EventTarget | null }) {
    const { name } = target as HTMLInputElement;
    if (messages[name]) setMessages(({ [name]: _, ...rest }) => rest);
  }

  return {
    form: { ref: form, noValidate: true, onSubmit: submit, onInput: edited },
    messages,
    alert,
    sending,
  } as const;
}

/** The check of a form whose named fields are all required. */
export function required(...names: string[]): (values: FieldMessages) => FieldMessages {
  return (values) =>
    Object.fromEntries(
      names.filter((name) => !values[name]?.trim()).map((name) => [name, 'This field is required']),
    );
}
