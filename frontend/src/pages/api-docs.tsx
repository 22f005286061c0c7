// The API reference, rendered at build time from the committed OpenAPI description.
import docs, { type ApiKind, type ApiNamed, type ApiOperation, type ApiSchema } from 'virtual:api-docs';
import { PlainPage } from '../sections/plain-page';

const { version, groups, errors, schemas } = docs;

export default function ApiDocs() {
  return (
    <PlainPage
      title="API reference"
      lead="JSON in and out, snake_case, times in UTC. What the pages and the dashboard call, you may call as well."
    >
      <p>
        {`Version ${version}. `}
        <a href="/api/openapi.json" download>
          The whole description as OpenAPI
        </a>
        {' for tools and generators.'}
      </p>
      <Contents />
      <p>
        Calls marked <strong>signed in</strong> take <code>Authorization: Bearer</code> with an access token.
        Posts of forms take an <code>Idempotency-Key</code>: the same key and content are answered again and
        stored once.
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
          {'Errors are problem documents (RFC 9457): '}
          <Kind kind={{ type: '', schema: 'Problem' }} />
          {'. Unless a call says otherwise, a status means this.'}
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

/** A text with its backquoted parts rendered as code. */
function Text({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part))}</>;
}

const anchor = (name: string) => name.toLowerCase().replaceAll(' ', '-');

function Contents() {
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
      <h4>Answers</h4>
      <dl className="api-fields">
        {answers.map((answer) => (
          <div key={answer.status}>
            <dt>
              <code>{answer.status}</code>
              {answer.body ? <Kind kind={answer.body} /> : null}
            </dt>
            <dd>
              <Text text={answer.text} />
            </dd>
          </div>
        ))}
      </dl>
      <Errors operation={operation} />
    </article>
  );
}

/** What can go wrong: the statuses, and in words those that mean something of their own here. */
function Errors({ operation: { errors: found } }: { operation: ApiOperation }) {
  const own = found.filter(({ text }) => text);
  if (!found.length) return null;
  return (
    <>
      <p>
        <a href="#errors">Errors</a>
        {`: ${found.map(({ status }) => status).join(', ')}`}
      </p>
      {own.length ? <Statuses of={own} /> : null}
    </>
  );
}

function Statuses({ of }: { of: ApiOperation['errors'] }) {
  return (
    <dl className="api-fields">
      {of.map(({ status, text }) => (
        <div key={status}>
          <dt>
            <code>{status}</code>
          </dt>
          <dd>
            <Text text={text} />
          </dd>
        </div>
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
    <div>
      <dt>
        <code>{field.name}</code>
        <span>
          <Kind kind={field} />
          {place ? ` in ${place}` : ''}
          {field.required ? ', required' : ''}
        </span>
      </dt>
      {field.description ? (
        <dd>
          <Text text={field.description} />
        </dd>
      ) : null}
    </div>
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
