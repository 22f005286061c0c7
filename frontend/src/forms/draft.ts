// The half-filled form of a visitor who left: only what says nothing about a person, for this tab only.
import { keep, keptJson } from '../kept';
import type { Texts } from './rules';

type Choice = HTMLInputElement | HTMLSelectElement;

function choices(form: HTMLFormElement, names: string[]): Choice[] {
  return names
    .map((name) => form.elements.namedItem(name))
    .filter((field): field is Choice => field !== null);
}

/** Keeps the named fields of a form as they are now. */
export function keepDraft(form: HTMLFormElement, names: string[]) {
  const draft = Object.fromEntries(choices(form, names).map((field) => [field.name, field.value]));
  keep('sessionStorage', `draft.${form.id}`, JSON.stringify(draft));
}

/** Puts the kept values back into fields that are still empty. */
export function restoreDraft(form: HTMLFormElement, names: string[]) {
  const draft = keptJson<Texts>('sessionStorage', `draft.${form.id}`, {});
  for (const field of choices(form, names)) {
    if (!field.value && draft[field.name]) field.value = draft[field.name] as string;
  }
}
