// Submits one of the admin's forms: one request at a time, a message per field, and an error text.

import { type ReactNode, useState } from 'react';
import { ApiError, hasErrorCode } from '../../api/admin-client';
import { Button } from '../../ui/button';
import { toast } from '../../ui/toast';
import { FormAlert } from './auth-card';
import { formValues } from './field';
import { useKeptForm } from './kept';

export type FieldMessages = Record<string, string>;

/** Why a form was not sent, in words for its user. */
export class FormFault extends Error {}

/** The text of an error for the user. */
export function errorMessage(error: unknown): string {
  if (error instanceof FormFault) return error.message;
  if (!(error instanceof ApiError)) return 'An unexpected error occurred.';
  if (error.status === 429) return rateLimited(error);
  if (error.details.reasons?.includes('used'))
    return 'This code was just used. Wait for the next one that the app shows.';
  return ownWords[error.code] ?? error.message;
}

/** Where there are no words or those of programs, by the codes: what happened, and what to do. */
const ownWords: Record<string, string> = {
  unreachable: 'We cannot be reached just now. Please try again.',
  unanswered: 'No answer came. It may have been done all the same: check before you try again.',
  user_banned: 'This account is blocked. Ask an admin to unblock it under Users.',
  mfa_verification_failed: 'This code is wrong or has expired. Type the one that the app shows now.',
  mfa_challenge_expired: 'That took too long. Type the code that the app shows now.',
  mfa_factor_name_conflict: 'You have an authenticator of this name already.',
  too_many_enrolled_mfa_factors: 'You have as many authenticators as are possible. Remove one first.',
  insufficient_aal: 'Sign in again with your second factor, then repeat this.',
  session_not_found: 'Your session has ended. Sign in again.',
  bad_jwt: 'Your session has ended. Sign in again.',
  otp_expired: 'This code is wrong, or it was used, or it has expired. Ask for a new one.',
  reauthentication_not_valid: 'This code is wrong, or it was used, or it has expired. Ask for a new one.',
  same_password: 'This is your password already. Choose another one.',
  email_exists: 'Somebody has this address already.',
  user_not_found: 'There is no such user any more.',
  sso_provider_not_found: 'No company with this domain signs in here.',
};

function rateLimited({ details, message }: ApiError): string {
  return details.retryAfter ? `Too many attempts. Try again ${inTime(details.retryAfter)}.` : message;
}

/** As in "in 3 minutes". */
function inTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  const [count, unit] = seconds < 100 ? [seconds, 'second'] : [minutes, 'minute'];
  return `in ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The title of an error: `title`, if it is known that nothing was done. */
export function failureTitle(error: unknown, title: string): string {
  return hasErrorCode(error, 'unanswered') ? 'Not confirmed' : title;
}

/** Says an error under this title. */
export function errorToast(title: string): (error: unknown) => void {
  return (error) =>
    toast({ title: failureTitle(error, title), detail: errorMessage(error), destructive: true });
}

/** Runs one job at a time; why it failed is said under the title. */
export function useJob(title: string) {
  const [busy, setBusy] = useState(false);
  async function run(job: () => Promise<unknown>) {
    setBusy(true);
    await job().catch(errorToast(title));
    setBusy(false);
  }
  return { busy, run };
}

type Sending = {
  /** Returns a message for each invalid field. */
  check(values: FieldMessages): FieldMessages;
  /** `button` is the one that was pressed. */
  send(values: FieldMessages, button?: HTMLElement | null): Promise<void>;
  /** The field an error belongs to; without one the error is shown above the form. */
  fieldOf?(error: unknown): string | undefined;
  /** The messages of an error by the names of the fields. */
  fieldsOf?(error: unknown): FieldMessages;
  /** Stands above the form while a field has a message. */
  incomplete?: string;
  failed?(error: unknown): void;
  /** The name under which this browser keeps what is typed until it is sent. */
  keep?: string;
  /** What is in the fields at first. */
  initial?: FieldMessages;
};

/** `form` goes on the `<form>`, `messages` to its fields, `alert` over it. */
export function useSubmit({ check, send, failed, incomplete = '', ...rest }: Sending) {
  const { fieldOf, fieldsOf, keep, initial } = rest;
  const { ref: form, typed, stored } = useKeptForm(keep, initial);
  const [messages, setMessages] = useState<FieldMessages>({});
  const [alert, setAlert] = useState('');
  const [sending, setSending] = useState(false);

  function show(found: FieldMessages) {
    setMessages(found);
    const names = Object.keys(found).map((name) => `[name="${name}"]`);
    if (names.length > 0) form.current?.querySelector<HTMLElement>(names.join())?.focus();
  }

  function showError(error: unknown) {
    if (failed) return failed(error);
    const field = fieldOf?.(error);
    const found = field ? { [field]: errorMessage(error) } : (fieldsOf?.(error) ?? {});
    show(found);
    setAlert(Object.keys(found).length > 0 ? incomplete : errorMessage(error));
  }

  async function submit(event: { preventDefault(): void; submitter?: HTMLElement | null }) {
    event.preventDefault();
    if (sending || !form.current) return;
    const values = formValues(form.current);
    const found = check(values);
    show(found);
    const isRight = Object.keys(found).length === 0;
    setAlert(isRight ? '' : incomplete);
    if (!isRight) return;
    setSending(true);
    try {
      await send(values, event.submitter);
      stored();
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  }

  function edited({ target }: { target: EventTarget | null }) {
    const { name } = target as HTMLInputElement;
    if (messages[name]) setMessages(({ [name]: _, ...rest }) => rest);
    typed();
  }

  return {
    form: { ref: form, noValidate: true, onSubmit: submit, onInput: edited, onKeyDown: sendByKey },
    messages,
    setMessages,
    alert,
    setAlert,
    sending,
  } as const;
}

/**
 * Ctrl+Enter sends a form from a field of several lines too; with Shift its second button does,
 * where it has one.
 */
export function sendByKey(event: KeyboardEvent) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  const form = event.currentTarget as HTMLFormElement;
  form.requestSubmit(event.shiftKey ? form.querySelector<HTMLElement>('[data-next]') : null);
}

/** The check of a form whose named fields are all required. */
export function required(...names: string[]): (values: FieldMessages) => FieldMessages {
  return (values) =>
    Object.fromEntries(
      names.filter((name) => !values[name]?.trim()).map((name) => [name, 'This field is required']),
    );
}

/** The field of an error about an address that was typed: taken, or not valid. */
export const emailField = (error: unknown) =>
  error instanceof ApiError && ['email_exists', 'validation_failed'].includes(error.code)
    ? 'email'
    : undefined;

type Props = {
  of: Pick<ReturnType<typeof useSubmit>, 'form' | 'alert' | 'sending'>;
  /** The words of the button. */
  submit: string;
  look?: 'line' | 'ink';
  wide?: boolean;
  children: ReactNode;
};

/** A form of the account and of signing in: its error above the fields, its button below them. */
export function SubmitForm({ of: { form, alert, sending }, submit, children, ...look }: Props) {
  return (
    <form {...form} className="auth-form">
      <FormAlert text={alert} />
      {children}
      <Button type="submit" disabled={sending} {...look}>
        {submit}
      </Button>
    </form>
  );
}
