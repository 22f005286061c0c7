// The state of a form, shared by both forms: validation on blur and on submit, clearing on edit,
// the throttle, a single request in flight, and the outcomes. Texts and failure handling are
// options.
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../api/public-client';
import { submit } from '../api/submissions';
import { company } from '../company';
import { hydration } from '../static-island';
import { toast } from '../ui/toast';
import { Confirmation } from './confirmation';
import { controlId } from './control-id';
import { restoreDraft, saveDraft } from './draft';
import { discardKey, idempotencyKey } from './idempotency-key';
import { filterInput, keepsQuotes, rewriteValue, type TextControl } from './input-filter';
import { afterPress, watchPresses } from './press';
import { type FieldValues, type FormRules, type Outcome, readable, validate } from './rules';
import type { Sent } from './sent';
import { canSubmit, recordSubmission } from './throttle';

type FormOptions = {
  rules: FormRules;
  /** The path of the JSON API. */
  path: string;
  /** More members of the request's body, when it is sent. */
  more?: (() => object) | undefined;
  /** Fields that are saved as a draft. */
  draft: string[];
  /** The query string of the page: the server has accepted the form if it has `sent`. */
  search: string;
  /** Strip HTML tags while typing. */
  stripHtml?: boolean;
  /**
   * Called when the server fails or cannot be reached. Returns the name of the outcome to show as
   * success, if any.
   */
  onFailure(error: unknown, values: FieldValues): string | undefined;
};

export function useForm({ rules, path, more, draft, stripHtml, onFailure, search }: FormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [errors, setErrors] = useState<FieldValues>(() => serverRenderedErrors(rules));
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState<Sent | undefined>(() =>
    search.includes('sent=') || (hydration.active && document.querySelector('.banner'))
      ? { name: 'banner' }
      : undefined,
  );

  useEffect(() => {
    if (form.current) restoreDraft(form.current, draft);
    return watchPresses();
  }, [draft]);

  const outcome = (name: string) => rules.outcomes[name] as Outcome;
  const showErrorToast = (name: string) => {
    loadConfirmation();
    toast({ ...outcome(name), destructive: true });
  };

  function showErrors(found: FieldValues) {
    setErrors(found);
    showErrorToast('invalid');
    const first = rules.fields.find(({ field }) => found[field]);
    if (first) document.getElementById(controlId(first.field))?.focus();
  }

  /** Shows that the server has the form, or that it is in an email in place of that. */
  async function onAccepted(name: string, banner: Sent) {
    recordSubmission(rules.form);
    const plain = !!(await loadConfirmation());
    // A visitor who is called within minutes is not promised an answer within a day.
    const { title } = outcome(name);
    const isCall = banner.values?.emergencyContact === 'true';
    toast(isCall ? { title, detail: `${company.call_soon} ${company.phone}` } : outcome(name));
    // Without the banner nothing could bring the values back.
    if (plain && name !== 'sent') return;
    form.current?.reset();
    if (form.current) saveDraft(form.current, draft);
    setErrors({});
    setSent({ ...banner, plain });
  }

  async function send(values: FieldValues) {
    const body = toApiBody(rules, values);
    isSending.current = true;
    setSending(true);
    try {
      const key = idempotencyKey(rules.form, JSON.stringify(body));
      const receipt = await submit(path, { ...body, ...more?.() }, key);
      // Without an answer the server may have the form all the same: it keeps its key.
      discardKey(rules.form);
      await onAccepted('sent', { name: 'banner', values, ...receipt });
    } catch (error) {
      const status = error instanceof Problem ? error.status : 0;
      if (status === 422) showErrors(fromApiErrors(rules, (error as Problem).fields));
      else if (status === 429) showErrorToast('rate_limited');
      else {
        const fallback = onFailure(error, values);
        if (fallback) await onAccepted(fallback, { name: `banner_${fallback}`, values });
      }
    } finally {
      isSending.current = false;
      setSending(false);
    }
  }

  function onSubmit(event: Event | { preventDefault(): void }) {
    // Files that no code has taken go with the form, as they would without JavaScript.
    if (form.current?.attachments?.files[0]) return;
    event.preventDefault();
    if (isSending.current || !form.current) return;
    setSent(undefined);
    const alert = form.current.querySelector<HTMLElement>('.form-alert');
    if (alert) alert.hidden = true;
    if (!canSubmit(rules.form)) return showErrorToast('rate_limited');
    // Text that was typed before hydration has passed no filter yet.
    for (const control of form.current.elements) filter(control);
    const { values, errors: found } = validate(rules, formValues(form.current));
    if (Object.keys(found).length > 0) return showErrors(found);
    setErrors({});
    send(values);
  }

  /** Filters the text of a field; `asTyped` leaves its quotes straight. */
  function filter(target: EventTarget | null, asTyped = false) {
    const rule = ruleOfTarget(rules, target);
    // A select has no text.
    if (rule && 'selectionStart' in (target as TextControl))
      rewriteValue(target as TextControl, (text) =>
        filterInput(readable(rule, text), { stripHtml, freeText: rule.free_text && !asTyped }),
      );
  }

  function onInput({ target, inputType }: { target: EventTarget | null; inputType?: string }) {
    const rule = ruleOfTarget(rules, target);
    if (!rule || !form.current) return;
    const asTyped = keepsQuotes(target, inputType);
    if (inputType !== 'historyUndo') filter(target, asTyped);
    loadConfirmation();
    setSent(undefined);
    if (errors[rule.field]) setErrors(({ [rule.field]: _, ...rest }) => rest);
    saveDraft(form.current, draft);
  }

  function onFocusOut({ target }: { target: EventTarget | null }) {
    const rule = ruleOfTarget(rules, target);
    afterPress(() => {
      if (!rule || !form.current) return;
      filter(target);
      const message = validate(rules, formValues(form.current)).errors[rule.field];
      setErrors(({ [rule.field]: _, ...rest }) => (message ? { ...rest, [rule.field]: message } : rest));
    });
  }

  return {
    errors,
    sending,
    sent,
    /** Shows the form again, empty. */
    again: () => setSent(undefined),
    form: {
      ref: form,
      id: `${rules.form}-form`,
      method: 'post',
      noValidate: true,
      onSubmit,
      onInput,
      onFocusOut,
    },
  } as const;
}

/** Loads the code of the confirmation and of the toasts' place; returns whether it is missing. */
const loadConfirmation = () => Confirmation.preload().catch(() => true);

function ruleOfTarget(rules: FormRules, target: EventTarget | null) {
  return rules.fields.find(({ field }) => field === (target as HTMLInputElement | null)?.name);
}

function formValues(form: HTMLFormElement): FieldValues {
  // All values that a rule names are strings.
  return Object.fromEntries(new FormData(form)) as FieldValues;
}

/** The error messages of a page that the server sent back, read before hydration. */
function serverRenderedErrors(rules: FormRules): FieldValues {
  if (!hydration.active) return {};
  const found = rules.fields.map(({ field }) => [field, document.getElementById(`${field}-error`)] as const);
  return Object.fromEntries(
    found
      .filter(([, element]) => element && !element.hidden)
      .map(([field, element]) => [field, element?.textContent ?? '']),
  );
}

/** Renames fields from camelCase to snake_case; checkboxes become booleans. */
function toApiBody(rules: FormRules, values: FieldValues): Record<string, string | boolean> {
  return Object.fromEntries(
    rules.fields.map(({ field, boolean }) => [
      toSnakeCase(field),
      boolean ? values[field] === 'true' : (values[field] ?? ''),
    ]),
  );
}

function fromApiErrors(rules: FormRules, fields: FieldValues): FieldValues {
  return Object.fromEntries(
    rules.fields.flatMap(({ field }) => {
      const message = fields[toSnakeCase(field)];
      return message ? [[field, message]] : [];
    }),
  );
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
