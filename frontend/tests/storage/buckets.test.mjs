import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adminPassword } from '../auth/support/server.mjs';
import { bucket, granted, pdf, refused, start } from './support.mjs';

const server = await start();
after(() => server.stop());
const { storage, visitor } = server;

test('the built-in buckets exist from the start', async () => {
  const buckets = granted(await storage.listBuckets());
  const found = Object.fromEntries(buckets.map((one) => [one.id, one]));
  assert.equal(found.quotes.public, false);
  assert.equal(found.public.public, true);
  for (const one of [found.quotes, found.public]) {
    assert.equal(one.name, one.id);
    assert.equal(one.type, 'STANDARD');
    assert.equal(one.file_size_limit, null);
    assert.equal(one.allowed_mime_types, null);
    assert.match(one.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
  }
});

test('built-in buckets are neither deleted nor opened', async () => {
  refused(await storage.deleteBucket('quotes'), 403, 'AccessDenied');
  refused(await storage.deleteBucket('public'), 403, 'AccessDenied');
  refused(await storage.emptyBucket('quotes'), 403, 'AccessDenied');
  refused(await storage.updateBucket('quotes', { public: true }), 403, 'AccessDenied');
});

test('only admins have anything to do with buckets', async () => {
  const member = await server.signIn(await server.person());
  const strangers = [visitor, server.clientOf('nonsense'), server.clientOf(member.session.access_token)];
  for (const client of strangers) {
    refused(await client.listBuckets(), 403, 'AccessDenied');
    refused(await client.getBucket('quotes'), 403, 'AccessDenied');
    refused(await client.createBucket('mine'), 403, 'AccessDenied');
    refused(await client.updateBucket('public', { public: false }), 403, 'AccessDenied');
    refused(await client.emptyBucket('public'), 403, 'AccessDenied');
    refused(await client.deleteBucket('public'), 403, 'AccessDenied');
  }
});

test('a signed-out admin is none', async () => {
  const client = await server.signIn({ email: 'admin@guard.example', password: adminPassword });
  const late = server.clientOf(client.session.access_token);
  granted(await late.listBuckets());
  await client.signOut({ scope: 'local' });
  refused(await late.listBuckets(), 403, 'AccessDenied');
});

test('a bucket is made, read, changed and deleted', async () => {
  const made = granted(
    await storage.createBucket('plans', {
      public: false,
      fileSizeLimit: '1.5kb',
      allowedMimeTypes: ['image/*', 'application/pdf'],
    }),
  );
  assert.deepEqual(made, { name: 'plans' });
  const found = granted(await storage.getBucket('plans'));
  assert.equal(found.file_size_limit, 1500);
  assert.deepEqual(found.allowed_mime_types, ['image/*', 'application/pdf']);
  assert.equal(found.owner, server.adminUser?.id ?? found.owner);
  const changed = await storage.updateBucket('plans', { public: true, fileSizeLimit: null });
  assert.deepEqual(granted(changed), { message: 'Successfully updated' });
  const after = granted(await storage.getBucket('plans'));
  assert.equal(after.public, true);
  assert.equal(after.file_size_limit, null);
  assert.deepEqual(after.allowed_mime_types, ['image/*', 'application/pdf']);
  assert.deepEqual(granted(await storage.deleteBucket('plans')), { message: 'Successfully deleted' });
  refused(await storage.getBucket('plans'), 404, 'NoSuchBucket');
});

test('bad buckets are refused', async () => {
  for (const name of ['a b', 'a/b', '.a', 'sign', 'list-v2', 'ü', 'x'.repeat(101)]) {
    refused(await storage.createBucket(name), 400, 'InvalidBucketName');
  }
  refused(await storage.createBucket('quotes'), 409, 'BucketAlreadyExists');
  refused(await storage.createBucket('big', { fileSizeLimit: '11MB' }), 413, 'EntityTooLarge');
  refused(await storage.createBucket('odd', { fileSizeLimit: 'much' }), 400, 'InvalidRequest');
  refused(await storage.createBucket('odd', { allowedMimeTypes: ['image'] }), 415, 'InvalidMimeType');
  refused(await storage.createBucket('odd', { type: 'ANALYTICS' }), 409, 'FeatureNotEnabled');
  refused(await storage.getBucket('nowhere'), 404, 'NoSuchBucket');
  refused(await storage.updateBucket('nowhere', { public: true }), 404, 'NoSuchBucket');
  refused(await storage.deleteBucket('nowhere'), 404, 'NoSuchBucket');
});

test('buckets are searched, sorted and paged', async () => {
  for (const name of ['zoo-1', 'Zoo-2', 'zoo-3']) granted(await storage.createBucket(name));
  const names = async (options) => granted(await storage.listBuckets(options)).map((one) => one.name);
  assert.deepEqual(await names({ search: 'ZOO', sortColumn: 'created_at', sortOrder: 'desc' }), [
    'zoo-3',
    'Zoo-2',
    'zoo-1',
  ]);
  assert.deepEqual(await names({ search: 'oo', limit: 1, offset: 1, sortColumn: 'name', sortOrder: 'asc' }), [
    'zoo-1',
  ]);
  assert.deepEqual(await names({ search: '%' }), []);
  refused(await storage.listBuckets({ limit: -1 }), 400, 'InvalidRequest');
  refused(await storage.listBuckets({ sortColumn: 'owner' }), 400, 'InvalidRequest');
});

test('a bucket with objects is emptied before it is deleted', async () => {
  const files = await bucket(server);
  granted(await files.upload('a/b.pdf', pdf()));
  refused(await storage.deleteBucket(files.bucket), 409, 'ResourceNotEmpty');
  assert.equal(typeof granted(await storage.emptyBucket(files.bucket)).message, 'string');
  assert.deepEqual(granted(await files.list()), []);
  granted(await storage.deleteBucket(files.bucket));
});

test('an update that says nothing is refused', async () => {
  const answer = await fetch(`${server.storageUrl}/bucket/public`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 400);
  const body = await answer.json();
  assert.deepEqual(Object.keys(body).sort(), ['code', 'error', 'message', 'statusCode']);
  assert.equal(body.code, 'InvalidRequest');
});
