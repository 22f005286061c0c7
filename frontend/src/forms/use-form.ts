// The life of a form, the same for both: checks on blur and on submit, clears on edit, the throttle, sending once, and
// the answers. What differs (texts, what a failure means) is given by the form.
import { useEffect, useRef, useState } from 'react';
import { Problem } from '../api/public-client';
import { submit } from '../api/submissions';
import { adoption } from '../still';
import { toast } from '../ui/toast';
import { asTyped, rewrite } from './as-typed';
import { keepDraft, restoreDraft } from './draft';
import { boxId } from './field';
import { type FormRules, judge, judgeField, type Texts } from './rules';
import { keyFor, retireKey } from './submission-key';
import { countSubmission, maySubmit } from './throttle';

type Settings = {
  rules: FormRules;
  /** The door of the JSON API. */
  path: string;
  /** Fields that may be kept when the visitor leaves. */
  draft: string[];
  /** The banner to begin with: the outcome's name, when the server has already accepted the form. */
  sent?: string | undefined;
  /** HTML tags vanish as they are typed. */
  tagless?: boolean;
  /** The server failed or could not be reached. Returns the name of the outcome to celebrate, if there is one all the same. */
  failed(error: unknown, values: Texts): string | undefined;
};

export function useForm({ rules, path, draft, tagless, failed, ...start }: Settings) {
  const form = useRef<HTMLFormElement>(null);
  const pressing = useRef(false);
  const busy = useRef(false);
  const [errors, setErrors] = useState<Texts>(() => servedErrors(rules));
  const [sending, setSending] = useState(false);
  const [sent, setSent] = useState(start.sent);

  useEffect(() => {
    if (form.current) restoreDraft(form.current, draft);
  }, [draft]);

  const outcome = (name: string) => rules.outcomes[name] ?? { title: '', detail: '' };
  const complain = (name: string) => toast({ ...outcome(name), destructive: true });

  function show(found: Texts) {
    setErrors(found);
    complain('invalid');
    const first = rules.fields.find(({ field }) => found[field]);
    if (first) document.getElementById(boxId(first.field))?.focus();
  }

  function accepted(name: string, banner: string) {
    countSubmission(rules.form);
    retireKey(rules.form);
    toast(outcome(name));
    form.current?.reset();
    if (form.current) keepDraft(form.current, draft);
    setErrors({});
    setSent(banner);
  }

  async function send(values: Texts) {
    const body = forTheApi(rules, values);
    busy.current = true;
    setSending(true);
    try {
      await submit(path, body, keyFor(rules.form, JSON.stringify(body)));
      accepted('sent', 'banner');
    } catch (error) {
      const status = error instanceof Problem ? error.status : 0;
      if (status === 422) show(inOurNames(rules, (error as Problem).fields));
      else if (status === 429) complain('rate_limited');
      else {
        const instead = failed(error, values);
        if (instead) accepted(instead, `banner_${instead}`);
      }
    } finally {
      busy.current = false;
      setSending(false);
    }
  }

  function onSubmit(event: Event | { preventDefault(): void }) {
    event.preventDefault();
    pressing.current = false;
    if (busy.current || !form.current) return;
    const alert = form.current.querySelector<HTMLElement>('.form-alert');
    if (alert) alert.hidden = true;
    if (!maySubmit(rules.form)) return complain('rate_limited');
    const { values, errors: found } = judge(rules, texts(form.current));
    if (Object.keys(found).length > 0) return show(found);
    setErrors({});
    send(values);
  }

  function onInput({ target }: { target: EventTarget | null }) {
    const rule = ruleAt(rules, target);
    if (!rule || !form.current) return;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) {
      rewrite(target, (text) => asTyped(text, { tagless, freeText: rule.free_text }));
    }
    if (errors[rule.field]) setErrors(({ [rule.field]: _, ...rest }) => rest);
    keepDraft(form.current, draft);
  }

  function onFocusOut({ target }: { target: EventTarget | null }) {
    const rule = ruleAt(rules, target);
    // A press on the submit button checks everything; a message now would move the button from under the finger.
    if (!rule || pressing.current || !form.current) return;
    const [, message] = judgeField(rule, texts(form.current)[rule.field] ?? '');
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
    press: () => {
      pressing.current = true;
      addEventListener(
        'pointerup',
        () =>
          setTimeout(() => {
            pressing.current = false;
          }),
        { once: true },
      );
    },
  } as const;
}

function ruleAt(rules: FormRules, target: EventTarget | null) {
  return rules.fields.find(({ field }) => field === (target as HTMLInputElement | null)?.name);
}

function texts(form: HTMLFormElement): Texts {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** The messages in a page that the server sent back, before hydration takes the form over. */
function servedErrors(rules: FormRules): Texts {
  if (!adoption.now) return {};
  const found = rules.fields.map(({ field }) => [field, document.getElementById(`${field}-error`)] as const);
  return Object.fromEntries(
    found
      .filter(([, place]) => place && !place.hidden)
      .map(([field, place]) => [field, place?.textContent ?? '']),
  );
}

/** camelCase to snake_case, letter by letter; ticked boxes become booleans. */
function forTheApi(rules: FormRules, values: Texts): Record<string, string | boolean> {
  return Object.fromEntries(
    rules.fields.map(({ field, boolean }) => [
      snake(field),
      boolean ? values[field] === 'true' : (values[field] ?? ''),
    ]),
  );
}

function inOurNames(rules: FormRules, fields: Texts): Texts {
  return Object.fromEntries(
    rules.fields.flatMap(({ field }) => {
      const message = fields[snake(field)];
      return message ? [[field, message]] : [];
    }),
  );
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
