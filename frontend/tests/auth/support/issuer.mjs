// An OpenID Connect issuer on a loopback port: metadata, keys, a consent page that agrees at once,
// and a token endpoint that checks PKCE.
import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const sha256 = (text, encoding = 'hex') => createHash('sha256').update(text).digest(encoding);

const newKey = () => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

/**
 * Starts an issuer that knows one client. `person` holds the claims of the next person who passes
 * its consent page.
 */
export async function startIssuer(clientId = 'guardpost') {
  const issuer = {
    clientId,
    key: newKey(),
    person: { sub: 'subject-1', email: 'ann@example.com', email_verified: true },
    requests: [],
    codes: new Map(),
    changeKey() {
      issuer.key = newKey();
    },
    claims(changes = {}) {
      const now = Math.floor(Date.now() / 1000);
      const own = { iss: issuer.url, aud: clientId, iat: now, exp: now + 300, jti: randomUUID() };
      return { ...own, ...issuer.person, ...changes };
    },
    /** An id_token with these claims changed (undefined takes one away). */
    token(changes = {}, header = {}, key = issuer.key.privateKey) {
      const head = encoded({ alg: 'RS256', typ: 'JWT', kid: issuer.key.kid, ...header });
      const body = `${head}.${encoded(issuer.claims(changes))}`;
      return `${body}.${createSign('RSA-SHA256').update(body).sign(key, 'base64url')}`;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
  const server = createServer((request, response) => void answer(issuer, request, response));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  issuer.url = `http://127.0.0.1:${server.address().port}`;
  return issuer;
}

async function answer(issuer, request, response) {
  const url = new URL(request.url, issuer.url);
  issuer.requests.push(url.pathname);
  const json = (status, value) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };
  switch (url.pathname) {
    case '/.well-known/openid-configuration':
      return json(200, metadata(issuer.url));
    case '/jwks':
      return json(200, { keys: [publicKey(issuer.key)] });
    case '/authorize': {
      const code = randomUUID();
      issuer.codes.set(code, Object.fromEntries(url.searchParams));
      const back = new URL(url.searchParams.get('redirect_uri'));
      back.searchParams.set('state', url.searchParams.get('state'));
      if (issuer.refuses) back.searchParams.set('error', issuer.refuses);
      else back.searchParams.set('code', code);
      response.writeHead(302, { location: back.href });
      return response.end();
    }
    case '/token': {
      const chunks = [];
      for await (const chunk of request) chunks.push(chunk);
      return exchange(issuer, new URLSearchParams(Buffer.concat(chunks).toString()), json);
    }
    default:
      return json(404, { error: 'not_found' });
  }
}

function exchange(issuer, form, json) {
  const asked = issuer.codes.get(form.get('code'));
  issuer.codes.delete(form.get('code'));
  const proven =
    asked?.code_challenge === sha256(form.get('code_verifier') ?? '', 'base64url') &&
    asked.redirect_uri === form.get('redirect_uri');
  if (!proven) return json(400, { error: 'invalid_grant' });
  const id_token = issuer.token({ nonce: asked.nonce, ...issuer.tokenChanges });
  return json(200, {
    access_token: 'provider-access',
    refresh_token: 'provider-refresh',
    token_type: 'Bearer',
    expires_in: 300,
    id_token,
  });
}

const publicKey = ({ kid, publicKey: key }) => ({
  ...key.export({ format: 'jwk' }),
  kid,
  alg: 'RS256',
  use: 'sig',
});

const metadata = (url) => ({
  issuer: url,
  authorization_endpoint: `${url}/authorize`,
  token_endpoint: `${url}/token`,
  jwks_uri: `${url}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});
