// A running server with the unmodified storage client, and small files of each kind.
import assert from 'node:assert/strict';
import { deflateSync } from 'node:zlib';
import { StorageClient } from '@supabase/storage-js';
import { adminPassword, start as startServer } from '../auth/support/server.mjs';

/** Starts a server; `admin` is the client of its first admin, `visitor` one without a session. */
export async function start(settings = {}) {
  const server = await startServer(settings);
  const { session } = await server.signIn({ email: 'admin@guard.example', password: adminPassword });
  const url = `${server.site}/storage/v1`;
  const client = (token) => new StorageClient(url, token ? { Authorization: `Bearer ${token}` } : {});
  return Object.assign(server, {
    storageUrl: url,
    token: session.access_token,
    storage: client(session.access_token),
    visitor: client(),
    clientOf: client,
  });
}

/** A new private bucket with an unused name; its API. */
let buckets = 0;
export async function bucket(server, options = { public: false }) {
  buckets += 1;
  const name = `bucket-${process.pid}-${buckets}`;
  granted(await server.storage.createBucket(name, options));
  return Object.assign(server.storage.from(name), { bucket: name });
}

/** The client's result is no refusal; gives its data. */
export function granted({ data, error }) {
  assert.equal(error, null, error?.message);
  return data;
}

/** The bytes of a download. */
export const bytes = async (result) => Buffer.from(await granted(result).arrayBuffer());

/** The client's result is a refusal in its own shape. */
export function refused({ data, error }, statusCode, code, status = 400) {
  assert.ok(error, `this should have been refused: ${JSON.stringify(data)}`);
  assert.equal(data, null);
  assert.equal(error.name, 'StorageApiError');
  assert.deepEqual(
    { status: error.status, statusCode: error.statusCode, code: error.code },
    { status, statusCode: String(statusCode), code },
    error.message,
  );
  return error;
}

/** Posts a quote request that wants to add files; gives its receipt. */
let visitors = 0;
export async function quote(server, attachments = true, headers = {}) {
  visitors += 1;
  const response = await fetch(`${server.site}/api/quotes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      first_name: 'Maria',
      last_name: 'Lee',
      email: 'maria@property.example',
      phone: '(713) 555-0188',
      service_type: 'fire-watch',
      location: `Houston, lot ${visitors}`,
      start_date: '2030-12-01',
      duration: '1-week',
      emergency_contact: false,
      attachments,
    }),
  });
  assert.equal(response.status, 201);
  return response.json();
}

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(bytes) {
  let c = 0xffffffff;
  for (const byte of bytes) c = crcTable[(c ^ byte) & 0xff] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc(body), body.length + 4);
  return out;
}

/** A PNG of one color, with a text chunk to be lost. */
export function png(color = 0x40, side = 4, text = 'Comment\0secret note') {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc(side * (1 + side * 3), color);
  for (let y = 0; y < side; y += 1) rows[y * (1 + side * 3)] = 0;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(text, 'latin1')),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PDF, as far as its first bytes go. */
export const pdf = (text = 'plan') => Buffer.from(`%PDF-1.7\n% ${text}\n%%EOF\n`);

/** A PDF of exactly this size. */
export const pdfOf = (size) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size - 9, 'x')]);

export const blob = (bytes, type = '') => new Blob([bytes], { type });
