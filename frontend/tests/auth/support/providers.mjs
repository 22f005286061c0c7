// A server with two OpenID Connect providers: `acme`, which is open to all users, and `bigcorp`, to
// which one company's mail domain leads.
import { startIssuer } from './issuer.mjs';
import { start } from './server.mjs';

/** The settings of a provider with this id. */
export const provider = (id, { url, clientId }) => ({ id, issuer: url, client_ids: [clientId] });

/**
 * Starts the server, the `issuer` of `acme` and the one of `bigcorp`, `company`. `changePeople`
 * gives each of them a new user to sign in, and takes back what a test has changed.
 */
export async function startWithProviders() {
  const issuer = await startIssuer();
  const company = await startIssuer('guardpost-sso');
  const server = await start({
    auth: {
      providers: [provider('acme', issuer), provider('bigcorp', company)],
      sso: [{ domain: 'bigcorp.example', provider: 'bigcorp' }],
    },
  });
  let subjects = 0;
  return {
    issuer,
    company,
    server,
    changePeople() {
      subjects += 1;
      issuer.person = { sub: `subject-${subjects}`, email: server.address(), email_verified: true };
      company.person = {
        sub: `employee-${subjects}`,
        email: `e${subjects}@bigcorp.example`,
        email_verified: true,
      };
      issuer.tokenChanges = undefined;
      issuer.refuses = undefined;
    },
    async stop() {
      await server.stop();
      await issuer.close();
      await company.close();
    },
  };
}
