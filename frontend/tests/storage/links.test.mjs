import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { blob, bucket, granted, pdf, png, quote, refused, start } from './support.mjs';

const server = await start({ limits: { form_max: 1000 } });
after(() => server.stop());
const { storage, visitor } = server;
const code = async (answer) => (await answer.json()).code;

test('a signed URL opens its object to everybody, until it expires', async () => {
  const files = await bucket(server);
  granted(await files.upload('a b/pla&n.pdf', pdf()));
  const { signedUrl } = granted(await files.createSignedUrl('a b/pla&n.pdf', 1));
  const answer = await fetch(signedUrl);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
  assert.equal(answer.headers.get('x-robots-tag'), 'none');
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), pdf());
  await pause(1100);
  const late = await fetch(signedUrl);
  assert.equal(late.status, 400);
  assert.equal(await code(late), 'ExpiredToken');
});

test('a signed URL names its download, even escaped twice', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.png', png()));
  const shown = granted(await files.createSignedUrl('a.png', 60)).signedUrl;
  assert.match((await fetch(shown)).headers.get('content-disposition'), /^inline; filename="a.png"/);
  for (const [download, found] of [
    [true, /^attachment; filename="a.png"/],
    ['ü.pdf', /^attachment; filename="_.pdf"; filename\*=UTF-8''%C3%BC.pdf$/],
    ['a"b/c.pdf', /^attachment; filename="a_b_c.pdf"/],
  ]) {
    const { signedUrl } = granted(await files.createSignedUrl('a.png', 60, { download }));
    assert.match((await fetch(signedUrl)).headers.get('content-disposition'), found);
  }
});

test('a changed path, a changed token and a token of another kind are refused', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.pdf', pdf('a')));
  granted(await files.upload('b.pdf', pdf('b')));
  const { signedUrl } = granted(await files.createSignedUrl('a.pdf', 60));
  assert.equal(await code(await fetch(signedUrl.replace('a.pdf', 'b.pdf'))), 'InvalidSignature');
  assert.equal(await code(await fetch(`${signedUrl.slice(0, -3)}AAA`)), 'InvalidJWT');
  assert.equal(await code(await fetch(signedUrl.replace(/token=.*/, `token=${server.token}`))), 'InvalidJWT');
  assert.equal(await code(await fetch(signedUrl.replace(/\?.*/, ''))), 'InvalidRequest');
  const token = new URL(signedUrl).searchParams.get('token');
  refused(await visitor.from(files.bucket).uploadToSignedUrl('a.pdf', token, pdf()), 400, 'InvalidSignature');
  refused(await server.clientOf(token).listBuckets(), 403, 'AccessDenied');
});

test('a link belongs to its object', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.pdf', pdf('1')));
  const { signedUrl } = granted(await files.createSignedUrl('a.pdf', 60));
  granted(await files.update('a.pdf', pdf('2')));
  assert.deepEqual(Buffer.from(await (await fetch(signedUrl)).arrayBuffer()), pdf('2'));
  granted(await files.move('a.pdf', 'b.pdf'));
  assert.equal(await code(await fetch(signedUrl)), 'NoSuchKey');
  granted(await files.upload('a.pdf', pdf('3')));
  assert.equal(await code(await fetch(signedUrl)), 'InvalidSignature');
});

test('several URLs are signed at once, in order', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.pdf', pdf()));
  const list = granted(await files.createSignedUrls(['missing', 'a.pdf'], 60));
  assert.equal(list[0].path, 'missing');
  assert.equal(list[0].signedUrl, null);
  assert.match(list[0].error, /^Either the object does not exist/);
  assert.equal(list[1].error, null);
  assert.equal((await fetch(list[1].signedUrl)).status, 200);
  refused(await files.createSignedUrl('missing', 60), 404, 'NoSuchKey');
  refused(await files.createSignedUrl('a.pdf', 0), 400, 'InvalidRequest');
  refused(await files.createSignedUrl('a.pdf', 604_801), 400, 'InvalidRequest');
  refused(await files.createSignedUrls([], 60), 400, 'InvalidRequest');
  refused(await files.createSignedUrl('a.pdf', 60, { transform: { width: 5 } }), 409, 'FeatureNotEnabled');
  refused(await visitor.from(files.bucket).createSignedUrl('a.pdf', 60), 403, 'AccessDenied');
});

test('a signed upload URL is good for one file', async () => {
  const files = await bucket(server);
  const there = visitor.from(files.bucket);
  const { token, path } = granted(await files.createSignedUploadUrl('in/a.txt'));
  assert.equal(path, 'in/a.txt');
  refused(await there.uploadToSignedUrl('in/b.txt', token, 'b'), 400, 'InvalidSignature');
  refused(await there.uploadToSignedUrl(path, `${token}x`, 'b'), 400, 'InvalidJWT');
  refused(await there.uploadToSignedUrl(path, token, Buffer.from([0, 1])), 415, 'InvalidMimeType');
  const made = granted(await there.uploadToSignedUrl(path, token, blob('hello', 'text/plain')));
  assert.equal(made.fullPath, `${files.bucket}/in/a.txt`);
  refused(await there.uploadToSignedUrl(path, token, 'again'), 409, 'ResourceAlreadyExists');
  granted(await files.remove([path]));
  refused(await there.uploadToSignedUrl(path, token, 'again'), 400, 'InvalidSignature');
  granted(await files.upload('taken.txt', 'x'));
  refused(await files.createSignedUploadUrl('taken.txt'), 409, 'ResourceAlreadyExists');
  const again = granted(await files.createSignedUploadUrl('taken.txt', { upsert: true }));
  granted(await there.uploadToSignedUrl('taken.txt', again.token, 'y'));
  refused(await there.createSignedUploadUrl('new.txt'), 403, 'AccessDenied');
});

test('a quote request that asks for it gets a grant', async () => {
  const { id, uploads } = await quote(server);
  assert.equal(uploads.url, `/storage/v1/object/upload/sign/quotes/${id}/`);
  assert.equal(uploads.max_files, 5);
  assert.equal(uploads.max_bytes, 10_485_760);
  assert.deepEqual(uploads.types, ['image/jpeg', 'image/png', 'image/webp', 'application/pdf']);
  const left = Date.parse(uploads.expires_at) - Date.now();
  assert.ok(left > 86_000_000 && left <= 86_400_000);
  assert.ok(!('uploads' in (await quote(server, false))));
  assert.ok(!('uploads' in (await quote(server, null))));
});

test('a grant adds files to its quote, and nothing else', async () => {
  const { id, uploads } = await quote(server);
  const there = visitor.from('quotes');
  const metadata = { name: 'Grundriß Süd.pdf' };
  const made = await there.uploadToSignedUrl(`${id}/plan.pdf`, uploads.token, blob(pdf()), { metadata });
  assert.equal(granted(made).fullPath, `quotes/${id}/plan.pdf`);
  const bare = await fetch(`${server.site}${uploads.url}photo.png?token=${uploads.token}`, {
    method: 'PUT',
    body: png(),
  });
  assert.equal(bare.status, 200);
  assert.deepEqual(
    granted(await storage.from('quotes').list(id)).map((one) => one.name),
    ['photo.png', 'plan.pdf'],
  );
  const info = granted(await storage.from('quotes').info(`${id}/plan.pdf`));
  assert.deepEqual(info.metadata, metadata);
  const other = await quote(server);
  const put = (path, body) => there.uploadToSignedUrl(path, uploads.token, body);
  refused(await put(`${other.id}/a.pdf`, pdf()), 400, 'InvalidSignature');
  refused(await put(`${id}/deep/a.pdf`, pdf()), 400, 'InvalidSignature');
  refused(await put(`${id}/${'x'.repeat(101)}`, pdf()), 400, 'InvalidSignature');
  refused(await put(`${id}/plan.pdf`, pdf()), 409, 'ResourceAlreadyExists');
  refused(await put(`${id}/note.txt`, 'text'), 415, 'InvalidMimeType');
  refused(await there.download(`${id}/plan.pdf`), 404, 'NoSuchBucket');
  refused(await server.clientOf(uploads.token).from('quotes').list(id), 403, 'AccessDenied');
  refused(
    await server
      .clientOf(uploads.token)
      .from('quotes')
      .remove([`${id}/plan.pdf`]),
    403,
    'AccessDenied',
  );
});

test('a quote takes five files ever, however many come at once', async () => {
  const { id, uploads } = await quote(server);
  const there = visitor.from('quotes');
  refused(
    await there.uploadToSignedUrl(`${id}/bad`, uploads.token, Buffer.from([0])),
    415,
    'InvalidMimeType',
  );
  const ten = Array.from({ length: 10 }, (_, n) =>
    there.uploadToSignedUrl(`${id}/${n}.pdf`, uploads.token, pdf(`${n}`)),
  );
  const results = await Promise.all(ten);
  assert.equal(results.filter(({ error }) => !error).length, 5);
  for (const lost of results.filter(({ error }) => error)) refused(lost, 403, 'AccessDenied');
  const stored = granted(await storage.from('quotes').list(id));
  assert.equal(stored.length, 5);
  granted(await storage.from('quotes').remove([`${id}/${stored[0].name}`]));
  refused(await there.uploadToSignedUrl(`${id}/more.pdf`, uploads.token, pdf()), 403, 'AccessDenied');
});

test('the same idempotency key gives the same quote with the same count', async () => {
  const headers = { 'idempotency-key': '0191d3b6-7c8e-7000-8000-000000000001' };
  const post = async () => {
    const answer = await fetch(`${server.site}/api/quotes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({
        first_name: 'Ann',
        last_name: 'Lee',
        email: 'ann@property.example',
        phone: '(713) 555-0188',
        service_type: 'fire-watch',
        location: 'Houston',
        start_date: '2030-12-01',
        duration: '1-week',
        emergency_contact: false,
        attachments: true,
      }),
    });
    return answer.json();
  };
  const first = await post();
  for (let n = 0; n < 5; n += 1) {
    granted(
      await visitor.from('quotes').uploadToSignedUrl(`${first.id}/${n}.pdf`, first.uploads.token, pdf()),
    );
  }
  const again = await post();
  assert.equal(again.id, first.id);
  const sixth = visitor.from('quotes').uploadToSignedUrl(`${first.id}/6.pdf`, again.uploads.token, pdf());
  refused(await sixth, 403, 'AccessDenied');
});
