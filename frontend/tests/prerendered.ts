// The prerendered documents, parsed for the tests.

import { readFileSync } from 'node:fs';

export type Row = { path: string; query: string; key: string; file: string; status: number };

export const dist = `${import.meta.dirname}/../dist/`;
export const rows: Row[] = JSON.parse(readFileSync(`${dist}pages.json`, 'utf8'));
export const site = rows.filter(({ key }) => !key.startsWith('admin'));

export function document(path: string, query = ''): Document {
  const row = rows.find((one) => one.path === path && one.query === query);
  return parsed(row as Row);
}

/** A document without its head, whose files are not served here. */
export function parsed(row: Row): Document {
  return new DOMParser().parseFromString(html(row).replace(/<head>.*<\/head>/s, ''), 'text/html');
}

export function html({ file }: Row): string {
  return readFileSync(dist + file, 'utf8');
}

/** The values of an attribute, wherever it stands in a document. */
export function values(row: Row, attribute: string): string[] {
  return [...html(row).matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(
    ([, value]) => value ?? '',
  );
}

export const count = (page: Document, selector: string) => page.querySelectorAll(selector).length;
