import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { bucket, granted, pdf, pdfOf, png, start } from './support.mjs';

const server = await start();
after(() => server.stop());
const auth = { authorization: `Bearer ${server.token}` };
const call = (method, path, { headers = {}, ...rest } = {}) =>
  fetch(`${server.storageUrl}${path}`, { method, headers: { ...auth, ...headers }, ...rest });

async function refusedCall(answer, status, statusCode, code) {
  const body = await answer.json();
  assert.deepEqual(Object.keys(body).sort(), ['code', 'error', 'message', 'statusCode']);
  assert.deepEqual(
    { status: answer.status, statusCode: body.statusCode, code: body.code },
    { status, statusCode: String(statusCode), code },
    body.message,
  );
  assert.doesNotMatch(JSON.stringify(body), /\.rs|sqlite|objects_|files\/|SELECT/i);
  return body;
}

test('unknown routes and features that are left out are 404', async () => {
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/nowhere'],
    ['PATCH', '/object/a/b'],
    ['POST', '/object/a'],
    ['PUT', '/object/a'],
    ['OPTIONS', '/bucket'],
  ]) {
    await refusedCall(await call(method, path), 404, 404, 'InvalidRequest');
  }
  for (const path of [
    '/render/image/public/a/b',
    '/s3/a',
    '/vector/x',
    '/iceberg/x',
    '/bucket/a/lifecycle',
  ]) {
    await refusedCall(await call('GET', path), 404, 404, 'FeatureNotEnabled');
  }
  await refusedCall(await call('DELETE', '/cdn/a/b'), 404, 404, 'FeatureNotEnabled');
  await refusedCall(await call('GET', '/object/public/a?versionId=1'), 400, 409, 'FeatureNotEnabled');
});

test('bodies are JSON objects', async () => {
  const json = { 'content-type': 'application/json' };
  for (const body of ['{', '[]', '7', '{"prefixes": 5}', '{"prefixes": []}', '{"a":1,"a":2}']) {
    const answer = await call('DELETE', '/object/public', { headers: json, body });
    await refusedCall(answer, 400, 400, 'InvalidRequest');
  }
  const text = await call('DELETE', '/object/public', {
    headers: { 'content-type': 'text/plain' },
    body: '{"prefixes":["a"]}',
  });
  await refusedCall(text, 400, 400, 'InvalidRequest');
});

test('downloads carry the headers of the contract', async () => {
  const files = await bucket(server);
  granted(await files.upload('plan.pdf', pdf(), { metadata: { name: 'Plan ü.pdf' } }));
  granted(await files.upload('a.png', png()));
  granted(await files.upload('a.svg', '<svg onload="alert(1)"/>'));
  for (const [name, type, kind] of [
    ['plan.pdf', 'application/pdf', 'attachment'],
    ['a.png', 'image/png', 'inline'],
    ['a.svg', 'image/svg+xml', 'attachment'],
  ]) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await call(method, `/object/${files.bucket}/${name}`);
      assert.equal(answer.status, 200);
      const header = (key) => answer.headers.get(key);
      assert.equal(header('content-type'), type);
      assert.ok(header('content-disposition').startsWith(`${kind}; filename=`));
      assert.equal(header('x-content-type-options'), 'nosniff');
      assert.equal(header('content-security-policy'), "default-src 'none'; sandbox");
      assert.match(header('etag'), /^"[0-9a-f]{64}"$/);
      assert.equal(header('cache-control'), 'private, no-cache');
      assert.equal(header('accept-ranges'), 'bytes');
      assert.ok(Number(header('content-length')) > 0);
      assert.match(header('last-modified'), /GMT$/);
      assert.equal(header('content-encoding'), null);
      const body = await answer.arrayBuffer();
      assert.equal(body.byteLength, method === 'HEAD' ? 0 : Number(header('content-length')));
    }
  }
  const named = await call('GET', `/object/${files.bucket}/plan.pdf`);
  assert.match(named.headers.get('content-disposition'), /filename\*=UTF-8''Plan%20%C3%BC.pdf$/);
  assert.equal((await call('HEAD', `/object/${files.bucket}/missing`)).status, 400);
});

test('conditions and ranges', async () => {
  const files = await bucket(server);
  granted(await files.upload('a.txt', '0123456789'));
  const path = `/object/${files.bucket}/a.txt`;
  const get = (headers) => call('GET', path, { headers });
  const whole = await get({});
  const etag = whole.headers.get('etag');
  const modified = whole.headers.get('last-modified');
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': modified },
  ]) {
    const answer = await get(headers);
    assert.equal(answer.status, 304, JSON.stringify(headers));
    assert.equal(answer.headers.get('etag'), etag);
    assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
  }
  for (const headers of [
    { 'if-none-match': '"x"', 'if-modified-since': modified },
    { 'if-modified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
    { range: 'bytes=0-1,3-4' },
    { range: 'bytes=4-2' },
    { range: 'bytes=0-1', 'if-range': '"x"' },
  ]) {
    const answer = await get(headers);
    assert.equal(answer.status, 200, JSON.stringify(headers));
    assert.equal(await answer.text(), '0123456789');
  }
  for (const [range, text, contentRange, more] of [
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10', { 'if-range': etag }],
    ['bytes=0-0', '0', 'bytes 0-0/10', { 'if-range': modified }],
  ]) {
    const answer = await get({ range, ...more });
    assert.equal(answer.status, 206, range);
    assert.equal(answer.headers.get('content-range'), contentRange);
    assert.equal(answer.headers.get('content-length'), String(text.length));
    assert.equal(await answer.text(), text);
  }
  const outside = await get({ range: 'bytes=10-' });
  assert.equal(outside.headers.get('content-range'), 'bytes */10');
  await refusedCall(outside, 416, 416, 'InvalidRange');
});

test('a big file arrives whole', async () => {
  const files = await bucket(server);
  const content = pdfOf(10_485_760);
  granted(await files.upload('big.pdf', content));
  const answer = await call('GET', `/object/${files.bucket}/big.pdf`);
  assert.equal(answer.headers.get('content-length'), '10485760');
  assert.ok(Buffer.from(await answer.arrayBuffer()).equals(content));
});

test('paths are decoded once', async () => {
  const files = await bucket(server);
  const put = (key) => call('PUT', `/object/${files.bucket}/${key}`, { body: 'text' });
  assert.equal((await put('a%2Fb%20c+d')).status, 200);
  assert.equal(granted(await files.info('a/b c+d')).name, 'a/b c+d');
  for (const key of ['%252e', '%ff', 'a%2', '..%2Fa', 'a%2F%2Fb']) {
    await refusedCall(await put(key), 400, 400, 'InvalidKey');
  }
});

test('multipart bodies have one file and at most ten fields', async () => {
  const files = await bucket(server);
  const post = (form) => call('POST', `/object/${files.bucket}/a.pdf`, { body: form });
  const form = (fields, names) => {
    const data = new FormData();
    for (let n = 0; n < fields; n += 1) data.append(`field${n}`, 'x');
    for (const name of names) data.append('', new Blob([pdf()]), name);
    return data;
  };
  await refusedCall(await post(form(0, [])), 400, 400, 'InvalidRequest');
  await refusedCall(await post(form(1, ['a', 'b'])), 400, 400, 'InvalidRequest');
  await refusedCall(await post(form(11, ['a'])), 400, 400, 'InvalidRequest');
  const broken = await call('POST', `/object/${files.bucket}/a.pdf`, {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\nno header\r\n\r\n--x--',
  });
  await refusedCall(broken, 400, 400, 'InvalidRequest');
  assert.equal((await post(form(10, ['a']))).status, 200);
});

test('a coded body is refused', async () => {
  const files = await bucket(server);
  const send = (coding) =>
    call('POST', `/object/${files.bucket}/a-${coding}`, {
      headers: { 'content-encoding': coding },
      body: 'x',
    });
  await refusedCall(await send('gzip'), 400, 415, 'InvalidMimeType');
  assert.equal((await send('identity')).status, 200);
});

test('an upload whose line is cut leaves nothing', async () => {
  const files = await bucket(server);
  const { hostname, port } = new URL(server.site);
  const head = (key, length) =>
    `POST /storage/v1/object/${files.bucket}/${key} HTTP/1.1\r\nhost: x\r\nauthorization: ${auth.authorization}\r\ncontent-length: ${length}\r\n\r\n`;
  for (let cut = 0; cut < 50; cut += 1) {
    await new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      socket.on('error', resolve);
      socket.on('close', resolve);
      const body = pdfOf(200_000);
      const sent = Math.floor((body.length * cut) / 50);
      socket.write(head('cut.pdf', body.length));
      socket.write(body.subarray(0, sent), () => socket.destroy());
    });
  }
  assert.deepEqual(granted(await files.list()), []);
  granted(await files.upload('cut.pdf', pdf()));
});
