-- Two hundred requests with what belongs to them, as the build of schema 68 has stored them.
INSERT INTO users (id, email, created_at, updated_at)
  VALUES ('u1', 'max@guard.example', '2026-11-01T08:00:00.000Z', '2026-11-01T08:00:00.000Z');
INSERT INTO sessions (id, user_id, created_at, refreshed_at, aal, amr)
  VALUES ('s1', 'u1', '2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z', 'aal1', '[]');
INSERT INTO storage_buckets (id, name, public, created_at, updated_at)
  SELECT 'quotes', 'quotes', 0, '2026-11-01T08:00:00.000Z', '2026-11-01T08:00:00.000Z'
  WHERE NOT EXISTS (SELECT 1 FROM storage_buckets WHERE id = 'quotes');
INSERT INTO requests (seq, kind, id, reference, created_at, updated_at, first_name, last_name,
    email, phone, service, location, start_date, duration, description)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200)
  SELECT (1795000000000 + n) * 16, iif(n % 10 = 0, 'message', 'quote'), 'r' || n, 'GP-' || n,
    '2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00.000Z', 'Ann', 'Lee',
    'ann' || n || '@site.example', '713-555-0188', 'fire-watch', 'Houston, TX', '2026-12-01',
    '1-week', 'Lot ' || n
  FROM numbers;
UPDATE request_counts SET requests = 200 WHERE kind = 'number';
INSERT INTO old_request_ids SELECT id, seq FROM requests;
INSERT INTO events (id, seq, kind, at, actor, verb, detail)
  SELECT seq + 1, seq, kind, '2026-11-21T08:01:00.000Z', 'u1', 'noted', '{"text": "Called."}'
  FROM requests;
INSERT INTO objects (id, bucket_id, name, version, sha256, size, media_type, cache_control,
    created_at, updated_at)
  VALUES ('o1', 'quotes', 'r1/gate.pdf', 'v1', hex(zeroblob(32)), 1000, 'application/pdf',
    'no-cache', '2026-11-21T08:02:00.000Z', '2026-11-21T08:02:00.000Z');
INSERT INTO offers (number, seq, version, draft, created_at, created_by, updated_at)
  SELECT 'O-1', seq, 0, '{}', '2026-11-21T08:03:00.000Z', 'u1', '2026-11-21T08:03:00.000Z'
  FROM requests WHERE id = 'r1';
INSERT INTO offer_versions VALUES ('O-2', 1, x'7b7d', x'41', x'25', 'j', 't', 'p');
INSERT INTO offer_states (number, version, state, recipient, total_cents, is_weekly, valid_until,
    expires_at, sent_at, sent_by, event)
  VALUES ('O-2', 1, 'sent', 'ann2@site.example', 168000, 1, '2026-12-01',
    '2099-12-02T06:00:00.000Z', '2026-11-21T08:04:00.000Z', 'u1', 1);
INSERT INTO request_drafts
  SELECT 'u1', seq, 'reply', '{"text": "Dear Ann"}', '2026-11-21T08:05:00.000Z'
  FROM requests WHERE id = 'r3';
INSERT INTO inbox_filters
  VALUES ('f1', 'u1', 'Texas', 'state=TX', 0, '2026-11-21T08:06:00.000Z');
INSERT INTO outbox (id, created_at, kind, subject_id, notice, due_at)
  VALUES (1, '2026-11-21T08:07:00.000Z', 'quote', 'r1', '{}', '1970-01-01T00:00:00.000Z');
