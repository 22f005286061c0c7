// POST /api/quotes on Fastify and better-sqlite3, at equal durability (WAL, synchronous FULL, one commit an answer) and with equal promises: the rate
// window, the idempotency key, the quote and its outbox row in one transaction. It does not index words for search. `node server.js FILE` says where it listens.

import { createHash, randomUUID } from 'node:crypto';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const db = new Database(process.argv[2]);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`
  CREATE TABLE quotes (id TEXT PRIMARY KEY, created_at TEXT NOT NULL, first_name TEXT NOT NULL, last_name TEXT NOT NULL, email TEXT NOT NULL, phone TEXT NOT NULL,
    company TEXT, service_type TEXT NOT NULL, location TEXT NOT NULL, start_date TEXT NOT NULL, duration TEXT NOT NULL, description TEXT,
    status TEXT NOT NULL, emergency_contact INTEGER NOT NULL) STRICT;
  CREATE INDEX quotes_by_time ON quotes (created_at, id);
  CREATE INDEX quotes_by_status ON quotes (status, created_at, id);
  CREATE TABLE outbox (id TEXT PRIMARY KEY, subject_id TEXT NOT NULL, due_at TEXT NOT NULL) STRICT;
  CREATE INDEX outbox_due ON outbox (due_at);
  CREATE TABLE submissions (key TEXT PRIMARY KEY, client TEXT NOT NULL, subject_id TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE INDEX submissions_by_client ON submissions (client, at);
`);

const known = db.prepare('SELECT subject_id FROM submissions WHERE key = ?').pluck();
const recent = db.prepare('SELECT count(*) FROM submissions WHERE client = ? AND at > ?').pluck();
const addQuote = db.prepare(`INSERT INTO quotes VALUES (@id, @created_at, @first_name, @last_name, @email, @phone, @company, @service_type, @location,
  @start_date, @duration, @description, 'pending', @emergency_contact)`);
const addNotice = db.prepare('INSERT INTO outbox VALUES (?, ?, ?)');
const addSubmission = db.prepare('INSERT INTO submissions VALUES (?, ?, ?, ?)');

const submit = db.transaction((quote, key, client, now) => {
  const before = known.get(key);
  if (before) return before;
  if (recent.get(client, now - 300_000) >= 3) return null;
  addQuote.run(quote);
  addNotice.run(randomUUID(), quote.id, quote.created_at);
  addSubmission.run(key, client, quote.id, now);
  return quote.id;
});

const text = (minLength, maxLength, pattern) => ({ type: 'string', minLength, maxLength, ...(pattern && { pattern }) });
const free = "^[^'\";]*$";
const body = {
  type: 'object',
  required: ['first_name', 'last_name', 'email', 'phone', 'service_type', 'location', 'start_date', 'duration'],
  properties: {
    first_name: text(2, 50, "^[\\p{L} .'’-]+$"),
    last_name: text(2, 50, "^[\\p{L} .'’-]+$"),
    email: text(3, 100, '^[^@ ]+@[^@ ]+\\.[^@ ]+$'),
    phone: text(10, 20, '^\\+?[0-9 ().-]+$'),
    company: text(0, 100),
    service_type: text(1, 50),
    location: text(2, 200, free),
    start_date: text(10, 10, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    duration: text(1, 20),
    description: text(0, 2000, free),
    emergency_contact: { type: 'boolean' },
  },
};

const app = Fastify({ trustProxy: true });
app.post('/api/quotes', { schema: { body } }, (request, reply) => {
  const now = Date.now();
  const quote = {
    company: null,
    description: null,
    ...request.body,
    id: randomUUID(),
    created_at: new Date(now).toISOString(),
    emergency_contact: request.body.emergency_contact ? 1 : 0,
  };
  const client = createHash('sha256').update(request.ip).digest('hex');
  const id = submit.immediate(quote, request.headers['idempotency-key'] ?? quote.id, client, now);
  if (id === null) return reply.code(429).header('retry-after', 300).send({ status: 429 });
  return reply.code(201).send({ id, created_at: quote.created_at, status: 'pending' });
});

const address = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(address);
