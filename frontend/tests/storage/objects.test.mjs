import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { blob, bucket, bytes, granted, pdf, png, refused, start } from './support.mjs';

const server = await start();
after(() => server.stop());
const { storage, visitor } = server;

test('a file is uploaded in each way and comes back whole', async () => {
  const files = await bucket(server);
  const content = pdf('each way');
  const form = new FormData();
  form.append('cacheControl', '60');
  form.append('plan', blob(content), 'plan.pdf');
  const stream = () => new Blob([content]).stream();
  const ways = {
    buffer: content,
    blob: blob(content),
    file: new File([content], 'x.exe'),
    form,
    stream: stream(),
  };
  for (const [name, body] of Object.entries(ways)) {
    const options = name === 'stream' ? { duplex: 'half' } : {};
    const made = granted(await files.upload(`ways/${name}.pdf`, body, options));
    assert.equal(made.path, `ways/${name}.pdf`);
    assert.equal(made.fullPath, `${files.bucket}/ways/${name}.pdf`);
    assert.match(made.id, /^[0-9a-f-]{36}$/);
    const back = await files.download(`ways/${name}.pdf`);
    assert.equal(granted(back).type, 'application/pdf');
    assert.deepEqual(await bytes(back), content);
  }
});

test('info tells what is stored, in camel case', async () => {
  const files = await bucket(server);
  const metadata = { name: 'Grundriß Süd.pdf', floor_number: 3 };
  granted(await files.upload('plan.pdf', blob(pdf()), { cacheControl: '77', metadata }));
  const info = granted(await files.info('plan.pdf'));
  assert.equal(info.name, 'plan.pdf');
  assert.equal(info.bucketId, files.bucket);
  assert.equal(info.size, pdf().length);
  assert.equal(info.contentType, 'application/pdf');
  assert.equal(info.cacheControl, 'max-age=77');
  assert.equal(info.etag, `"${createHash('sha256').update(pdf()).digest('hex')}"`);
  assert.deepEqual(info.metadata, { name: 'Grundriß Süd.pdf', floorNumber: 3 });
  assert.ok(Date.parse(info.lastModified) && Date.parse(info.createdAt));
  const raw = await files.upload('raw.pdf', pdf(), { metadata, cacheControl: 'forever' });
  granted(raw);
  const other = granted(await files.info('raw.pdf'));
  assert.deepEqual(other.metadata, info.metadata);
  assert.equal(other.cacheControl, 'no-cache');
});

test('exists knows a missing object from other refusals', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.pdf', pdf()));
  assert.equal((await files.exists('a.pdf')).data, true);
  assert.equal((await files.exists('b.pdf')).data, false);
  await assert.rejects(storage.from('nowhere').exists('a.pdf'));
  await assert.rejects(visitor.from(files.bucket).exists('a.pdf'));
});

test('a taken key is refused, replaced with upsert, and replaced by update', async () => {
  const files = await bucket(server);
  const first = granted(await files.upload('a.pdf', pdf('1')));
  refused(await files.upload('a.pdf', pdf('2')), 409, 'ResourceAlreadyExists');
  assert.deepEqual(await bytes(await files.download('a.pdf')), pdf('1'));
  const before = granted(await files.info('a.pdf'));
  const second = granted(await files.upload('a.pdf', pdf('2'), { upsert: true }));
  assert.equal(second.id, first.id);
  assert.deepEqual(await bytes(await files.download('a.pdf')), pdf('2'));
  const after = granted(await files.info('a.pdf'));
  assert.equal(after.createdAt, before.createdAt);
  assert.notEqual(after.version, before.version);
  assert.notEqual(after.etag, before.etag);
  granted(await files.update('a.pdf', pdf('3')));
  granted(await files.update('new.pdf', pdf('new')));
  assert.deepEqual(await bytes(await files.download('a.pdf')), pdf('3'));
});

test('of parallel uploads to a free key one wins, of parallel upserts the last stands whole', async () => {
  const files = await bucket(server);
  const race = await Promise.all(Array.from({ length: 8 }, (_, n) => files.upload('one.pdf', pdf(`${n}`))));
  assert.equal(race.filter(({ error }) => !error).length, 1);
  for (const lost of race.filter(({ error }) => error)) refused(lost, 409, 'ResourceAlreadyExists');
  const contents = Array.from({ length: 8 }, (_, n) => pdf(`upsert ${n}`));
  const upserts = contents.map((one) => files.upload('two.pdf', one, { upsert: true }));
  for (const one of await Promise.all(upserts)) granted(one);
  const left = await bytes(await files.download('two.pdf'));
  assert.ok(contents.some((one) => one.equals(left)));
});

test('objects are moved and copied', async () => {
  const files = await bucket(server);
  const other = await bucket(server);
  const made = granted(await files.upload('a.pdf', pdf(), { metadata: { name: 'A.pdf' } }));
  const before = granted(await files.info('a.pdf'));
  assert.equal(granted(await files.move('a.pdf', 'b/c.pdf')).message, 'Successfully moved');
  refused(await files.info('a.pdf'), 404, 'NoSuchKey');
  const moved = granted(await files.info('b/c.pdf'));
  assert.equal(moved.id, made.id);
  assert.equal(moved.createdAt, before.createdAt);
  const copy = granted(await files.copy('b/c.pdf', 'd.pdf', { destinationBucket: other.bucket }));
  assert.equal(copy.path, `${other.bucket}/d.pdf`);
  const copied = granted(await other.info('d.pdf'));
  assert.notEqual(copied.id, made.id);
  assert.deepEqual(copied.metadata, { name: 'A.pdf' });
  refused(
    await files.copy('b/c.pdf', 'd.pdf', { destinationBucket: other.bucket }),
    409,
    'ResourceAlreadyExists',
  );
  refused(
    await files.move('b/c.pdf', 'd.pdf', { destinationBucket: other.bucket }),
    409,
    'ResourceAlreadyExists',
  );
  refused(await files.move('nothing', 'e.pdf'), 404, 'NoSuchKey');
  refused(await files.move('b/c.pdf', 'e.pdf', { destinationBucket: 'nowhere' }), 404, 'NoSuchBucket');
  assert.equal(granted(await files.move('b/c.pdf', 'b/c.pdf')).message, 'Successfully moved');
  granted(await files.remove(['b/c.pdf']));
  assert.deepEqual(await bytes(await other.download('d.pdf')), pdf(), 'shared bytes outlive a removal');
});

test('objects are removed by whole keys', async () => {
  const files = await bucket(server);
  for (const key of ['a.pdf', 'b/c.pdf', 'b/d.pdf']) granted(await files.upload(key, pdf(key)));
  const removed = granted(await files.remove(['a.pdf', 'b', 'missing', 'b/c.pdf']));
  assert.deepEqual(
    removed.map((one) => one.name),
    ['a.pdf', 'b/c.pdf'],
  );
  assert.equal(removed[0].metadata.mimetype, 'application/pdf');
  assert.equal(granted(await files.info('b/d.pdf')).name, 'b/d.pdf');
  refused(await files.remove([]), 400, 'InvalidRequest');
  refused(await files.remove([{ path: 'b/d.pdf', versionId: '1' }]), 400, 'InvalidRequest');
  refused(await storage.from('nowhere').remove(['a']), 404, 'NoSuchBucket');
  refused(await visitor.from(files.bucket).remove(['b/d.pdf']), 403, 'AccessDenied');
});

test('everybody reads public buckets, nobody else’s', async () => {
  const files = await bucket(server, { public: true });
  const hidden = await bucket(server);
  granted(await files.upload('team/a.png', png(), { cacheControl: '3600' }));
  granted(await hidden.upload('a.pdf', pdf()));
  const open = visitor.from(files.bucket);
  assert.ok((await bytes(await open.download('team/a.png'))).length > 0);
  assert.equal(granted(await open.info('team/a.png')).contentType, 'image/png');
  const { publicUrl } = open.getPublicUrl('team/a.png').data;
  const answer = await fetch(publicUrl, { headers: { authorization: 'Bearer expired' } });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'max-age=3600');
  assert.equal(answer.headers.get('x-robots-tag'), null);
  assert.match(answer.headers.get('content-disposition'), /^inline;/);
  refused(await open.download('team/b.png'), 404, 'NoSuchKey');
  refused(await visitor.from(hidden.bucket).download('a.pdf'), 404, 'NoSuchBucket');
  refused(await visitor.from('nowhere').download('a.pdf'), 404, 'NoSuchBucket');
  assert.equal((await fetch(visitor.from(hidden.bucket).getPublicUrl('a.pdf').data.publicUrl)).status, 400);
  refused(await open.upload('x.pdf', pdf()), 403, 'AccessDenied');
  refused(await open.list(), 403, 'AccessDenied');
});

test('the bucket called public shares its routes', async () => {
  const files = storage.from('public');
  granted(await files.upload('crew/a.png', png()));
  assert.ok((await bytes(await visitor.from('public').download('crew/a.png'))).length > 0);
  assert.equal(granted(await visitor.from('public').info('crew/a.png')).name, 'crew/a.png');
  assert.equal((await visitor.from('public').exists('crew/b.png')).data, false);
  const answer = await fetch(files.getPublicUrl('crew/a.png').data.publicUrl);
  assert.equal(answer.status, 200);
  refused(await storage.createBucket('crew'), 409, 'BucketAlreadyExists');
  refused(await files.upload('quotes/a.png', png()), 400, 'InvalidKey');
  granted(await files.remove(['crew/a.png']));
  granted(await storage.createBucket('crew', { public: true }));
  refused(await files.upload('crew/a.png', png()), 400, 'InvalidKey');
  granted(await storage.from('crew').upload('a.png', png()));
  assert.ok((await bytes(await visitor.from('crew').download('a.png'))).length > 0);
});
