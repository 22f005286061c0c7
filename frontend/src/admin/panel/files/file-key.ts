import { fileKey } from '../../../forms/attachments/check-file';

/** A key for a file called `name` in the folder of a quote that is none of the `taken` ones. */
export function freeKey(quoteId: string, name: string, taken: string[]): string {
  const names = taken.map((key) => key.slice(key.indexOf('/') + 1));
  return `${quoteId}/${fileKey(name, names)}`;
}
