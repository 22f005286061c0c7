// The mails that the server writes as files, and the links in them followed as a person would: the
// page, then its button.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './until.mjs';

const decoded = (body, encoding) => {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(encoding)) return body;
  const bytes = body
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** The decoded text/plain part. */
const plainText = (raw) => {
  const start = raw.search(/^content-type:\s*text\/plain/im);
  const headEnd = raw.indexOf('\r\n\r\n', start);
  const head = raw.slice(raw.lastIndexOf('\r\n--', start) + 2, headEnd);
  const boundary = /^(--[^\r\n]+)\r\n/.exec(head)?.[1];
  const end = boundary ? raw.indexOf(`\r\n${boundary}`, headEnd) : raw.length;
  const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(head)?.[1] ?? '';
  return decoded(raw.slice(headEnd + 4, end), encoding);
};

const read = (file) => {
  const raw = readFileSync(file, 'latin1').replace(/\r?\n/g, '\r\n');
  const text = plainText(raw);
  return {
    raw,
    text,
    to: /^to:\s*(.+)$/im.exec(raw)?.[1] ?? '',
    code: /(?<![0-9])[0-9]{6}(?![0-9])/.exec(text)?.[0],
    link: /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(text)?.[0],
  };
};

export class Mailbox {
  #seen = new Set();

  constructor(folder) {
    this.folder = folder;
  }

  #arrived() {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder)
      .filter((name) => name.endsWith('.eml'))
      .sort();
  }

  /** The oldest mail to `address` that was not taken before; waits for it. */
  next(address) {
    return until(`a mail to ${address}`, () => {
      for (const name of this.#arrived()) {
        if (this.#seen.has(name)) continue;
        const message = read(join(this.folder, name));
        if (message.to.toLowerCase().includes(address)) {
          this.#seen.add(name);
          return message;
        }
      }
      return undefined;
    });
  }

  /** How many mails to `address` lie there, taken or not. */
  count(address) {
    return this.#arrived().filter((name) => read(join(this.folder, name)).to.toLowerCase().includes(address))
      .length;
  }
}

const unescaped = (text) =>
  text
    .replace(/&amp;/g, '&')
    .replace(/&quot;/g, '"')
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    );

const attribute = (tag, name) => {
  const found = new RegExp(`\\b${name}="([^"]*)"`, 'i').exec(tag);
  return found ? unescaped(found[1]) : undefined;
};

/** The form on the page behind a mail's link: where its button posts to, and what. */
export async function linkPage(link) {
  const answer = await fetch(link, { redirect: 'manual' });
  const html = await answer.text();
  const form = /<form\b[^>]*>/i.exec(html)?.[0] ?? '';
  const fields = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input\b[^>]*>/gi)) {
    if (attribute(tag, 'name')) fields.append(attribute(tag, 'name'), attribute(tag, 'value') ?? '');
  }
  return {
    status: answer.status,
    html,
    method: attribute(form, 'method'),
    action: new URL(attribute(form, 'action') ?? '', link).href,
    fields,
  };
}

/**
 * Presses the button of a link's page; gives the answer's status and where it sends the browser.
 */
export async function confirmLink(link, headers = {}) {
  const page = await linkPage(link);
  const answer = await fetch(page.action, {
    method: 'POST',
    headers: { origin: new URL(link).origin, 'sec-fetch-site': 'same-origin', ...headers },
    body: page.fields,
    redirect: 'manual',
  });
  const location = answer.headers.get('location');
  return { status: answer.status, location: location ? new URL(location) : undefined };
}

/** The fragment of an address, as its parameters. */
export const fragment = (url) => new URLSearchParams(url.hash.slice(1));
