// Addresses that the browser loads after the first paint.

/** The props of a reference. In a document from the server, public/start.js sets its address. */
export function later(href: string): { href?: string; 'data-later'?: string } {
  return import.meta.env.SSR ? { 'data-later': href } : { href };
}
