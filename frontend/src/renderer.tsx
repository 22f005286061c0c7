// The entry of the page renderer, which the server runs in a small JavaScript engine when the
// office has changed the content (src/site/engine.rs). The server sets `globalThis.content` first.
import { documents } from './documents';

/** The keys of pages without content: the documents of the build stay as they are. */
const withoutContent = /^(admin|api-docs)/;

/** The engine has no `URLSearchParams`; the site only reads single values of its addresses. */
class Query {
  private readonly pairs: string[][];

  constructor(search: string) {
    this.pairs = search.split('&').map((pair) => pair.split('='));
  }

  get(name: string): string | null {
    return this.pairs.find(([key]) => key === name)?.[1] ?? null;
  }
}

globalThis.URLSearchParams ??= Query as unknown as typeof URLSearchParams;

/** The HTML of every document with content, as JSON: by its page's key, path and query string. */
export async function renderDocuments(): Promise<string> {
  const all = await documents(withoutContent);
  return JSON.stringify(
    Object.fromEntries(all.map((one) => [`${one.key} ${one.path}?${one.query}`, one.html])),
  );
}
