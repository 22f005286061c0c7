// Build step: reduces the committed API description (src/tests/golden/openapi.json) to what the
// reference page shows. The usual meaning of an error status is listed once; an operation lists it
// only if it differs.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

/** The tags of the description that each reference page shows, by page key. */
const tagsByPage: Record<string, string[]> = {
  'api-docs': ['Visitors', 'OnCall', 'Offers', 'AdminApi', 'Operations'],
  'api-docs-inbox': ['Desk'],
  'api-docs-emails': ['Emails', 'Webhooks'],
  'api-docs-figures': ['Figures'],
  'api-docs-site': ['Site'],
  'api-docs-auth': ['Authentication'],
  'api-docs-accounts': ['Accounts'],
  'api-docs-storage': ['Storage'],
};

const golden = fileURLToPath(new URL('../../src/tests/golden/openapi.json', import.meta.url));
const id = 'virtual:api-docs';

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: string[];
  items?: Schema;
  allOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
};
type Media = Record<string, { schema?: Schema }>;
type Answer = { description: string; content?: Media };
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema };
type Operation = {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { content: Media };
  responses: Record<string, Answer>;
  security?: unknown[];
};
type Description = {
  info: { version: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

export const apiDocs: Plugin = {
  name: 'api-docs',
  resolveId: (asked) => (asked === id ? `\0${id}` : undefined),
  load(asked) {
    if (asked !== `\0${id}`) return;
    this.addWatchFile(golden);
    const empty: Description = { info: { version: '' }, tags: [], paths: {}, components: { schemas: {} } };
    const description = existsSync(golden) ? JSON.parse(readFileSync(golden, 'utf8')) : empty;
    return `export default ${JSON.stringify(reduced(description))}`;
  },
};

function reduced(description: Description) {
  const shown = Object.values(tagsByPage).flat();
  const missing = description.tags.filter(({ name }) => !shown.includes(name));
  if (missing.length) throw new Error(`no reference page shows the tag ${missing[0]?.name}`);
  return {
    version: description.info.version,
    pages: Object.fromEntries(
      Object.entries(tagsByPage).map(([key, names]) => [key, referencePage(description, names)]),
    ),
  };
}

/**
 * The operations with these tags, the usual meanings of their errors, and the schemas they mention.
 */
function referencePage({ tags, paths, components }: Description, names: string[]) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.some((name) => names.includes(name)))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const usual = usualErrors(operations.map(({ operation }) => operation));
  const mentioned = mentionedSchemas(
    operations.map(({ operation }) => operation),
    components.schemas,
  );
  return {
    errors: [...usual].map(([status, text]) => ({ status, text })).sort((a, b) => +a.status - +b.status),
    groups: names
      .flatMap((name) => tags.filter((tag) => tag.name === name))
      .map(({ name, description = '' }) => ({
        name,
        description,
        operations: operations
          .filter(({ operation }) => operation.tags?.includes(name))
          .map(({ path, method, operation }) => ({ path, method, ...reducedOperation(operation, usual) })),
      })),
    schemas: Object.entries(components.schemas)
      .filter(([name]) => mentioned.has(name))
      .map(([name, schema]) => ({
        name,
        description: schema.description ?? '',
        values: schema.enum ?? [],
        fields: Object.entries(schema.properties ?? {}).map(([field, of]) => ({
          name: field,
          required: schema.required?.includes(field) ?? false,
          description: of.description ?? '',
          ...kind(of),
        })),
      })),
  };
}

/** The names of the schemas that operations mention, and of those that these mention. */
function mentionedSchemas(operations: Operation[], schemas: Description['components']['schemas']) {
  const found = new Set<string>();
  const visit = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value ?? {}).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      visit(schemas[name]);
    }
  };
  visit(operations);
  return found;
}

function reducedOperation(operation: Operation, usual: Map<string, string>) {
  const answers = Object.entries(operation.responses);
  return {
    id: operation.operationId ?? '',
    summary: operation.summary ?? '',
    description: operation.description ?? '',
    secured: Boolean(operation.security?.length),
    parameters: (operation.parameters ?? []).map(
      ({ name, in: place, required = false, description = '', schema }) => ({
        name,
        place,
        required,
        description,
        ...kind(schema),
      }),
    ),
    body: bodyOf(operation.requestBody?.content),
    answers: answers
      .filter(([status]) => status < '400')
      .map(([status, { description, content }]) => ({ status, text: description, body: bodyOf(content) })),
    errors: answers
      .filter(([status]) => status >= '400')
      .map(([status, { description }]) => ({
        status,
        text: usual.get(status) === description ? '' : description,
      })),
  };
}

/** The meaning of each error status in most operations. */
function usualErrors(operations: Operation[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { responses } of operations)
    for (const [status, { description }] of Object.entries(responses)) {
      if (status < '400') continue;
      const texts = counts.get(status) ?? new Map<string, number>();
      counts.set(status, texts.set(description, (texts.get(description) ?? 0) + 1));
    }
  return new Map(
    [...counts].map(([status, texts]) => [status, [...texts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '']),
  );
}

function bodyOf(content: Media | undefined) {
  const schema = Object.values(content ?? {})[0]?.schema;
  return schema ? kind(schema) : undefined;
}

/** A type in words, and the schema it names. */
function kind(schema: Schema): { type: string; schema?: string; many?: boolean } {
  const named = schema.$ref ?? schema.allOf?.find(({ $ref }) => $ref)?.$ref;
  if (named) return { type: '', schema: named.split('/').at(-1) ?? '' };
  if (schema.type === 'array' && schema.items) return { ...kind(schema.items), many: true };
  return { type: schema.enum?.join(' | ') ?? schema.type ?? 'any' };
}
