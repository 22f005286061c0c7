// The state of a form, shared by both forms: validation on blur and on submit, clearing on edit,
// the throttle, a single request in flight, and the outcomes. Texts and failure handling are
// options.
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../api/public-client';
import { submit } from '../api/submissions';
import { hydration } from '../static-island';
import { toast } from '../ui/toast';
import { restoreDraft, saveDraft } from './draft';
import { controlId } from './field';
import { discardKey, idempotencyKey } from './idempotency-key';
import { filterInput, rewriteValue } from './input-filter';
import { type FieldValues, type FormRules, validate, validateField } from './rules';
import { canSubmit, recordSubmission } from './throttle';

type FormOptions = {
  rules: FormRules;
  /** The path of the JSON API. */
  path: string;
  /** Fields that are saved as a draft. */
  draft: string[];
  /** The name of the outcome in the initial banner, if the server has already accepted the form. */
  sent?: string | undefined;
  /** Strip HTML tags while typing. */
  stripHtml?: boolean;
  /**
   * Called when the server fails or cannot be reached. Returns the name of the outcome to show as
   * success, if any.
   */
  onFailure(error: unknown, values: FieldValues): string | undefined;
};

export function useForm({ rules, path, draft, stripHtml, onFailure, ...start }: FormOptions) {
  const form = useRef<HTMLFormElement>(null);
  const isPressing = useRef(false);
  const isSending = useRef(false);
  const [errors, setErrors] = useState<FieldValues>(() => serverRenderedErrors(rules));
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(start.sent);

  useEffect(() => {
    if (form.current) restoreDraft(form.current, draft);
  }, [draft]);

  const outcome = (name: string) => rules.outcomes[name] ?? { title: '', detail: '' };
  const showErrorToast = (name: string) => toast({ ...outcome(name), destructive: true });

  function showErrors(found: FieldValues) {
    setErrors(found);
    showErrorToast('invalid');
    const first = rules.fields.find(({ field }) => found[field]);
    if (first) document.getElementById(controlId(first.field))?.focus();
  }

  function onAccepted(name: string, banner: string) {
    recordSubmission(rules.form);
    discardKey(rules.form);
    toast(outcome(name));
    form.current?.reset();
    if (form.current) saveDraft(form.current, draft);
    setErrors({});
    setSent(banner);
  }

  async function send(values: FieldValues) {
    const body = toApiBody(rules, values);
    isSending.current = true;
    setSending(true);
    try {
      await submit(path, body, idempotencyKey(rules.form, JSON.stringify(body)));
      onAccepted('sent', 'banner');
    } catch (error) {
      const status = error instanceof Problem ? error.status : 0;
      if (status === 422) showErrors(fromApiErrors(rules, (error as Problem).fields));
      else if (status === 429) showErrorToast('rate_limited');
      else {
        const fallback = onFailure(error, values);
        if (fallback) onAccepted(fallback, `banner_${fallback}`);
      }
    } finally {
      isSending.current = false;
      setSending(false);
    }
  }

  function onSubmit(event: Event | { preventDefault(): void }) {
    event.preventDefault();
    isPressing.current = false;
    if (isSending.current || !form.current) return;
    const alert = form.current.querySelector<HTMLElement>('.form-alert');
    if (alert) alert.hidden = true;
    if (!canSubmit(rules.form)) return showErrorToast('rate_limited');
    const { values, errors: found } = validate(rules, formValues(form.current));
    if (Object.keys(found).length > 0) return showErrors(found);
    setErrors({});
    send(values);
  }

  function onInput({ target }: { target: EventTarget | null }) {
    const rule = ruleOfTarget(rules, target);
    if (!rule || !form.current) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      rewriteValue(target, (text) => filterInput(text, { stripHtml, freeText: rule.free_text }));
    }
    if (errors[rule.field]) setErrors(({ [rule.field]: _, ...rest }) => rest);
    saveDraft(form.current, draft);
  }

  function onFocusOut({ target }: { target: EventTarget | null }) {
    const rule = ruleOfTarget(rules, target);
    // Pressing the submit button validates everything; a message now would move the button before
    // the click completes.
    if (!rule || isPressing.current || !form.current) return;
    const [, message] = validateField(rule, formValues(form.current)[rule.field] ?? '');
    setErrors(({ [rule.field]: _, ...rest }) => (message ? { ...rest, [rule.field]: message } : rest));
  }

  return {
    errors,
    sending,
    banner: sent ? outcome(sent) : undefined,
    served: start.sent !== undefined,
    again: { ...outcome('again'), hide: () => setSent(undefined) },
    form: {
      ref: form,
      id: `${rules.form}-form`,
      method: 'post',
      noValidate: true,
      onSubmit,
      onInput,
      onFocusOut,
    },
    onPress: () => {
      isPressing.current = true;
      addEventListener(
        'pointerup',
        () =>
          setTimeout(() => {
            isPressing.current = false;
          }),
        { once: true },
      );
    },
  } as const;
}

function ruleOfTarget(rules: FormRules, target: EventTarget | null) {
  return rules.fields.find(({ field }) => field === (target as HTMLInputElement | null)?.name);
}

function formValues(form: HTMLFormElement): FieldValues {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
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
