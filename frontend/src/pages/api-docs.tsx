// The API reference, rendered at build time from the committed OpenAPI description: a page per
// part.
import docs, { type ApiReference } from 'virtual:api-docs';
import type { PageProps } from '../content/route-manifest';
import { Kind, Operation, Schema, Statuses, Text } from '../sections/api-reference';
import { PlainPage } from '../sections/plain-page';
import NotFound from './not-found';
import '../styles/inner.css';
import '../styles/pages/api-docs.css';

type Chapter = { key: string; path: string; title: string; lead: string };

const chapters: Chapter[] = [
  {
    key: 'api-docs',
    path: '/api/docs',
    title: 'API reference',
    lead: 'JSON in and out, snake_case, times in UTC. What the pages and the dashboard call, you may call too.',
  },
  {
    key: 'api-docs-inbox',
    path: '/api/docs/inbox',
    title: 'Inbox API',
    lead: 'Quote requests and contact messages, as the dashboard works with them.',
  },
  {
    key: 'api-docs-emails',
    path: '/api/docs/emails',
    title: 'Emails and webhooks API',
    lead: 'Replies and their templates, emails that belong to no request, the messages of one, and webhooks.',
  },
  {
    key: 'api-docs-figures',
    path: '/api/docs/figures',
    title: 'Figures API',
    lead: 'What was viewed, asked, answered, offered and won in a period. For admins.',
  },
  {
    key: 'api-docs-site',
    path: '/api/docs/site',
    title: 'Site content API',
    lead: 'Drafts, previews, publications and pictures of the site. For admins.',
  },
  {
    key: 'api-docs-auth',
    path: '/api/docs/auth',
    title: 'Authentication API',
    lead: 'Sign-in, sessions and second factors.',
  },
  {
    key: 'api-docs-accounts',
    path: '/api/docs/accounts',
    title: 'Account administration API',
    lead: 'Invite, list, change and delete accounts. For admins.',
  },
  {
    key: 'api-docs-storage',
    path: '/api/docs/storage',
    title: 'Storage API',
    lead: 'Buckets, objects, signed links and resumable uploads, as the public storage client calls them.',
  },
];

export default function ApiDocs(props: PageProps) {
  const chapter = chapters.find(({ key }) => key === props.page.key);
  const reference = chapter && docs.pages[chapter.key];
  if (!reference) return <NotFound {...props} />;
  const { groups, errors, schemas } = reference;
  const answersProblems = schemas.some(({ name }) => name === 'Problem');
  return (
    <PlainPage title={chapter.title} lead={chapter.lead}>
      <p>
        {`Version ${docs.version}. `}
        <a href="/api/openapi.json" download>
          Everything as OpenAPI
        </a>
      </p>
      <Chapters current={chapter} />
      <Contents groups={groups} />
      <p>
        Calls marked <strong>signed in</strong> take <code>Authorization: Bearer</code> with an access token.
        {chapter.key === 'api-docs' ? (
          <>
            {' Form posts take an '}
            <code>Idempotency-Key</code>: the same key and content get the same response and are stored once.
          </>
        ) : null}
      </p>
      {groups.map(({ name, description, operations }) => (
        <section key={name} className="api-group" aria-labelledby={anchor(name)}>
          <h2 id={anchor(name)}>{name}</h2>
          <p>
            <Text text={description} />
          </p>
          {operations.map((operation) => (
            <Operation key={operation.id} operation={operation} />
          ))}
        </section>
      ))}
      <section className="api-group" aria-labelledby="errors">
        <h2 id="errors">Errors</h2>
        <p>
          {answersProblems ? (
            <>
              {'Errors are problem documents (RFC 9457): '}
              <Kind kind={{ type: '', schema: 'Problem' }} />
              {'. '}
            </>
          ) : null}
          Unless a call says otherwise, an error status means this.
        </p>
        <Statuses of={errors} />
      </section>
      <section className="api-group" aria-labelledby="schemas">
        <h2 id="schemas">Schemas</h2>
        {schemas.map((schema) => (
          <Schema key={schema.name} schema={schema} />
        ))}
      </section>
    </PlainPage>
  );
}

function Chapters({ current }: { current: Chapter }) {
  return (
    <nav aria-label="API reference pages">
      <ul className="api-contents plain-list">
        {chapters.map(({ key, path, title }) => (
          <li key={key}>
            <a href={path} aria-current={key === current.key ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function Contents({ groups }: { groups: ApiReference['groups'] }) {
  return (
    <nav aria-label="Calls">
      <ul className="api-contents plain-list">
        {groups.flatMap(({ operations }) =>
          operations.map(({ id, method, path }) => (
            <li key={id}>
              <a href={`#${id}`}>
                <code>{`${method} ${path}`}</code>
              </a>
            </li>
          )),
        )}
      </ul>
    </nav>
  );
}
