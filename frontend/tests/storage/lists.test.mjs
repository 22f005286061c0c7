import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bucket, granted, refused, start } from './support.mjs';

const server = await start();
after(() => server.stop());
const files = await bucket(server);
const keys = ['b.txt', 'A.txt', 'a/1.txt', 'a/2.txt', 'a/deep/3.txt', 'C/4.txt', 'a_b.txt', 'a%', 'é'].slice(
  0,
  7,
);
for (const key of keys) granted(await files.upload(key, `text of ${key}`));
const names = (list) => list.map((one) => one.name);

test('a folder lists files and folders mixed, by lower-cased name', async () => {
  const root = granted(await files.list());
  assert.deepEqual(names(root), ['a', 'A.txt', 'a_b.txt', 'b.txt', 'C']);
  const [folder, file] = root;
  assert.deepEqual(folder, {
    name: 'a',
    id: null,
    updated_at: null,
    created_at: null,
    last_accessed_at: null,
    metadata: null,
  });
  assert.equal(file.metadata.size, 'text of A.txt'.length);
  assert.equal(file.metadata.contentLength, file.metadata.size);
  assert.equal(file.metadata.httpStatusCode, 200);
  assert.match(file.metadata.eTag, /^"[0-9a-f]{64}"$/);
  assert.deepEqual(names(granted(await files.list('a'))), ['1.txt', '2.txt', 'deep']);
  assert.deepEqual(names(granted(await files.list('A/'))), ['1.txt', '2.txt', 'deep']);
  assert.deepEqual(granted(await files.list('nothing')), []);
});

test('lists are paged, searched by the beginning, and sorted', async () => {
  assert.deepEqual(names(granted(await files.list('', { limit: 2, offset: 1 }))), ['A.txt', 'a_b.txt']);
  assert.deepEqual(names(granted(await files.list('', { search: 'A' }))), ['a', 'A.txt', 'a_b.txt']);
  assert.deepEqual(names(granted(await files.list('', { search: '_' }))), []);
  assert.deepEqual(names(granted(await files.list('', { search: '%' }))), []);
  const sortBy = { column: 'name', order: 'desc' };
  assert.deepEqual(names(granted(await files.list('', { sortBy }))), ['C', 'b.txt', 'a_b.txt', 'A.txt', 'a']);
  const byTime = { column: 'created_at', order: 'asc' };
  assert.deepEqual(names(granted(await files.list('', { sortBy: byTime }))), [
    'a',
    'C',
    'b.txt',
    'A.txt',
    'a_b.txt',
  ]);
  refused(await files.list('', { limit: 0 }), 400, 'InvalidRequest');
  refused(await files.list('', { sortBy: { column: 'owner' } }), 400, 'InvalidRequest');
  refused(await files.list('', { sortBy: { column: 'name', order: 'up' } }), 400, 'InvalidRequest');
  refused(await server.storage.from('nowhere').list(), 404, 'NoSuchBucket');
});

test('listV2 walks all keys, page by page', async () => {
  for (const options of [
    {},
    { sortBy: { column: 'name', order: 'desc' } },
    { sortBy: { column: 'created_at', order: 'asc' } },
    { sortBy: { column: 'updated_at', order: 'desc' } },
  ]) {
    const whole = granted(await files.listV2(options));
    assert.equal(whole.hasNext, false);
    assert.equal(whole.nextCursor, undefined);
    const walked = [];
    let cursor;
    do {
      const page = granted(await files.listV2({ ...options, limit: 2, cursor }));
      walked.push(...names(page.objects));
      cursor = page.nextCursor;
      assert.equal(page.hasNext, cursor !== undefined);
    } while (cursor);
    assert.deepEqual(walked, names(whole.objects), JSON.stringify(options));
    assert.equal(walked.length, keys.length);
  }
  assert.deepEqual(names(granted(await files.listV2({ prefix: 'a/' })).objects), [
    'a/1.txt',
    'a/2.txt',
    'a/deep/3.txt',
  ]);
  assert.deepEqual(names(granted(await files.listV2({})).objects), [...keys].sort());
});

test('listV2 with a delimiter folds folders, and counts them', async () => {
  const whole = granted(await files.listV2({ with_delimiter: true }));
  assert.deepEqual(
    whole.folders.map(({ name, id }) => ({ name, id })),
    [
      { name: 'C/', id: null },
      { name: 'a/', id: null },
    ],
  );
  assert.deepEqual(names(whole.objects), ['A.txt', 'a_b.txt', 'b.txt']);
  for (const column of ['name', 'created_at']) {
    const walked = [];
    let cursor;
    do {
      const page = granted(
        await files.listV2({ with_delimiter: true, limit: 1, cursor, sortBy: { column, order: 'asc' } }),
      );
      assert.equal(page.folders.length + page.objects.length, 1);
      walked.push(...names(page.folders), ...names(page.objects));
      cursor = page.nextCursor;
    } while (cursor);
    assert.equal(new Set(walked).size, 5, column);
  }
  refused(await files.listV2({ cursor: 'nonsense' }), 400, 'InvalidParameter');
  refused(await files.listV2({ sortBy: { column: 'last_accessed_at' } }), 400, 'InvalidRequest');
});
