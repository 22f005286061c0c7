// What may be uploaded: types, sizes, keys and metadata.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { blob, bucket, bytes, granted, pdf, pdfOf, png, refused, start } from './support.mjs';

const server = await start();
after(() => server.stop());
const { storage } = server;
const limit = 10_485_760;

test('the type is found in the content, whatever the client declares', async () => {
  const files = await bucket(server);
  const type = async (name, body, contentType) => {
    granted(await files.upload(name, body, { contentType }));
    return granted(await files.info(name)).contentType;
  };
  assert.equal(await type('a.exe', png(), 'application/x-msdownload'), 'image/png');
  assert.equal(await type('a.png', pdf(), 'image/png'), 'application/pdf');
  assert.equal(await type('a.html', '<html><script>1</script>', 'text/html'), 'text/plain;charset=UTF-8');
  assert.equal(await type('a.csv', 'a,b\n1,2\n', 'text/csv'), 'text/csv;charset=UTF-8');
  assert.equal(
    await type('a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text/plain'),
    'image/svg+xml',
  );
  const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00', 'latin1');
  const error = refused(
    await files.upload('a.gif', gif, { contentType: 'image/png' }),
    415,
    'InvalidMimeType',
  );
  assert.equal(error.message, 'mime type image/gif is not supported');
  const cut = png().subarray(0, 40);
  refused(await files.upload('cut.png', cut), 415, 'InvalidMimeType');
  refused(await files.upload('empty', Buffer.alloc(0)), 400, 'InvalidRequest');
});

test('pictures are written anew, without what they hid', async () => {
  const files = await bucket(server);
  const original = Buffer.concat([png(0x80), Buffer.from('<script>alert(1)</script>')]);
  assert.ok(original.includes('secret note'));
  granted(await files.upload('a.png', original));
  const stored = await bytes(await files.download('a.png'));
  assert.ok(!stored.includes('secret note') && !stored.includes('script'));
  assert.equal(granted(await files.info('a.png')).size, stored.length);
});

test('exactly ten megabytes pass, one byte more does not, and the refusal arrives', async () => {
  const files = await bucket(server);
  granted(await files.upload('full.pdf', pdfOf(limit)));
  refused(await files.upload('over.pdf', pdfOf(limit + 1)), 413, 'EntityTooLarge');
  refused(await files.upload('over.pdf', blob(pdfOf(limit + 1))), 413, 'EntityTooLarge');
  refused(await files.upload('far.pdf', pdfOf(2 * limit - 5_000)), 413, 'EntityTooLarge');
  const stream = new Blob([pdfOf(limit + 1)]).stream();
  refused(await files.upload('stream.pdf', stream, { duplex: 'half' }), 413, 'EntityTooLarge');
  assert.deepEqual(
    granted(await files.list()).map((one) => one.name),
    ['full.pdf'],
  );
});

test('a bucket’s own limits hold, also where something is moved or copied to', async () => {
  const files = await bucket(server);
  const small = await bucket(server, { public: false, fileSizeLimit: 100, allowedMimeTypes: ['image/*'] });
  refused(await small.upload('a.pdf', pdf()), 415, 'InvalidMimeType');
  refused(await small.upload('a.png', Buffer.concat([png(), Buffer.alloc(100)])), 413, 'EntityTooLarge');
  granted(await files.upload('a.pdf', pdf()));
  const to = { destinationBucket: small.bucket };
  refused(await files.move('a.pdf', 'a.pdf', to), 415, 'InvalidMimeType');
  refused(await files.copy('a.pdf', 'a.pdf', to), 415, 'InvalidMimeType');
});

test('bad keys are refused', async () => {
  const files = await bucket(server);
  for (const key of ['a%b', 'grundriß.pdf', 'x'.repeat(1025)]) {
    refused(await files.upload(key, pdf()), 400, 'InvalidKey');
  }
  granted(await files.upload("A!-_.*'() &$=@;:+,.pdf", pdf()));
  assert.deepEqual(await bytes(await files.download("A!-_.*'() &$=@;:+,.pdf")), pdf());
});

test('metadata has a limit, and unreadable metadata is ignored', async () => {
  const files = await bucket(server);
  const metadata = { note: 'x'.repeat(9_000) };
  refused(await files.upload('a.pdf', pdf(), { metadata }), 413, 'EntityTooLarge');
  refused(await files.upload('a.pdf', blob(pdf()), { metadata }), 413, 'EntityTooLarge');
  granted(await files.upload('a.pdf', pdf(), { headers: { 'x-metadata': '!!!' } }));
  assert.equal(granted(await files.info('a.pdf')).metadata, null);
});

test('files of quotes lie below an existing quote', async () => {
  const files = storage.from('quotes');
  for (const key of ['a.pdf', 'nobody/a.pdf', '01a1fc3e-39c6-7a77-b418-fd7752849fdb/a.pdf']) {
    refused(await files.upload(key, pdf()), 400, 'InvalidKey');
  }
});
