// The API reference, rendered at build time from the committed OpenAPI description: one page for
// the site and the desk, and one each for authentication, account administration and storage.
import docs, {
  type ApiKind,
  type ApiNamed,
  type ApiOperation,
  type ApiReference,
  type ApiSchema,
} from 'virtual:api-docs';
import { Fragment } from 'react';
import type { PageProps } from '../routes';
import { PlainPage } from '../sections/plain-page';
import NotFound from './not-found';

type Chapter = { key: string; path: string; title: string; lead: string };

const chapters: Chapter[] = [
  {
    key: 'api-docs',
    path: '/api/docs',
    title: 'API reference',
    lead: 'JSON in and out, snake_case, times in UTC. What the pages and the dashboard call, you may call too.',
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
          {chapter.key === 'api-docs' ? (
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

/** A text with its backquoted parts rendered as code. */
function Text({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part))}</>;
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

function Operation({ operation }: { operation: ApiOperation }) {
  const { id, method, path, summary, description, secured, parameters, body, answers } = operation;
  return (
    <article className="api-call" id={id}>
      <h3>{summary}</h3>
      <p className="api-line">
        <code>{`${method} ${path}`}</code>
        {secured ? <strong>signed in</strong> : null}
      </p>
      {description ? (
        <p>
          <Text text={description} />
        </p>
      ) : null}
      {parameters.length ? (
        <>
          <h4>Parameters</h4>
          <dl className="api-fields">
            {parameters.map((parameter) => (
              <Field key={parameter.name} field={parameter} place={parameter.place} />
            ))}
          </dl>
        </>
      ) : null}
      {body ? (
        <p>
          {'Body: '}
          <Kind kind={body} />
        </p>
      ) : null}
      <dl className="api-fields">
        {answers.map((answer) => (
          <Fragment key={answer.status}>
            <dt>
              <code>{answer.status}</code>
              {answer.body ? <Kind kind={answer.body} /> : null}
            </dt>
            <dd>
              <Text text={answer.text} />
            </dd>
          </Fragment>
        ))}
      </dl>
      <Errors operation={operation} />
    </article>
  );
}

/** What can go wrong: the statuses, and in words those that mean something of their own here. */
function Errors({ operation: { errors: found } }: { operation: ApiOperation }) {
  const own = found.filter(({ text }) => text);
  // "4XX, 5XX" says no more than the section on errors does.
  const named = found.filter(({ status }) => !status.endsWith('XX'));
  return (
    <>
      {named.length ? (
        <p>
          <a href="#errors">Errors</a>
          {`: ${found.map(({ status }) => status).join(', ')}`}
        </p>
      ) : null}
      {own.length ? <Statuses of={own} /> : null}
    </>
  );
}

function Statuses({ of }: { of: ApiOperation['errors'] }) {
  return (
    <dl className="api-fields">
      {of.map(({ status, text }) => (
        <Fragment key={status}>
          <dt>
            <code>{status}</code>
          </dt>
          <dd>
            <Text text={text} />
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

function Schema({ schema: { name, description, values, fields } }: { schema: ApiSchema }) {
  return (
    <article className="api-call" id={`schema-${name}`}>
      <h3>{name}</h3>
      {description ? (
        <p>
          <Text text={description} />
        </p>
      ) : null}
      {values.length ? (
        <p>
          <code>{values.join(' | ')}</code>
        </p>
      ) : null}
      {fields.length ? (
        <dl className="api-fields">
          {fields.map((field) => (
            <Field key={field.name} field={field} />
          ))}
        </dl>
      ) : null}
    </article>
  );
}

function Field({ field, place }: { field: ApiNamed; place?: string }) {
  return (
    <>
      <dt>
        <code>{field.name}</code>
      </dt>
      <dd>
        <Kind kind={field} />
        {`${place ? ` in ${place}` : ''}${field.required ? ', required' : ''}. `}
        <Text text={field.description} />
      </dd>
    </>
  );
}

function Kind({ kind: { type, schema, many } }: { kind: ApiKind }) {
  return (
    <>
      {many ? 'list of ' : ''}
      {schema ? <a href={`#schema-${schema}`}>{schema}</a> : type}
    </>
  );
}
