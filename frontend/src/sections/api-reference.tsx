// The parts of the API reference: operations, error statuses, schemas and their fields.
import type { ApiKind, ApiNamed, ApiOperation, ApiSchema } from 'virtual:api-docs';
import { Fragment } from 'react';

/** A text with its backquoted parts rendered as code. */
export function Text({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 ? <code key={part}>{part}</code> : part))}</>;
}

export function Operation({ operation }: { operation: ApiOperation }) {
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

/** The error statuses, with a description of those that have a specific meaning here. */
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

export function Statuses({ of }: { of: ApiOperation['errors'] }) {
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

export function Schema({ schema: { name, description, values, fields } }: { schema: ApiSchema }) {
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

export function Kind({ kind: { type, schema, many } }: { kind: ApiKind }) {
  return (
    <>
      {many ? 'list of ' : ''}
      {schema ? <a href={`#schema-${schema}`}>{schema}</a> : type}
    </>
  );
}
