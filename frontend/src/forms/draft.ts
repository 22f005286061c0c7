// The half-filled form of a visitor who left: only what says nothing about a person, for this tab only.
import { getJson, setItem } from '../safe-storage';
import type { FieldValues } from './rules';

type DraftControl = HTMLInputElement | HTMLSelectElement;

function draftControls(form: HTMLFormElement, names: string[]): DraftControl[] {
  return names
    .map((name) => form.elements.namedItem(name))
    .filter((field): field is DraftControl => field !== null);
}

/** Keeps the named fields of a form as they are now. */
export function saveDraft(form: HTMLFormElement, names: string[]) {
  const draft = Object.fromEntries(draftControls(form, names).map((field) => [field.name, field.value]));
  setItem('sessionStorage', `draft.${form.id}`, JSON.stringify(draft));
}

/** Puts the kept values back into fields that are still empty. */
export function restoreDraft(form: HTMLFormElement, names: string[]) {
  const draft = getJson<FieldValues>('sessionStorage', `draft.${form.id}`, {});
  for (const field of draftControls(form, names)) {
    if (!field.value && draft[field.name]) field.value = draft[field.name] as string;
  }
}
