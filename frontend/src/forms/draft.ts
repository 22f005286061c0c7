// Drafts of half-filled forms: only fields that are not personal, and only for this tab.
import { getJson, setItem } from '../safe-storage';
import type { FieldValues } from './rules';

type DraftControl = HTMLInputElement | HTMLSelectElement;

function draftControls(form: HTMLFormElement, names: string[]): DraftControl[] {
  return names
    .map((name) => form.elements.namedItem(name))
    .filter((field): field is DraftControl => field !== null);
}

/** Saves the current values of the named fields, for all pages whose forms have the same action. */
export function saveDraft(form: HTMLFormElement, names: string[]) {
  const draft = Object.fromEntries(draftControls(form, names).map((field) => [field.name, field.value]));
  setItem('sessionStorage', `draft.${form.action}`, JSON.stringify(draft));
}

/** Restores saved values into fields that are empty. */
export function restoreDraft(form: HTMLFormElement, names: string[]) {
  const draft = getJson<FieldValues>('sessionStorage', `draft.${form.action}`, {});
  for (const field of draftControls(form, names)) {
    if (!field.value && draft[field.name]) field.value = draft[field.name] as string;
  }
}
