// Structured data (JSON-LD) of every page is checked against the types of schema.org's vocabulary
// (schema-dts) by the TypeScript compiler.
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from '../fixtures';

const file = join(import.meta.dirname, 'structured-data.checked.ts');
const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** The files of the vocabulary and of the language, read once for all programs. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** The compiler's errors for these graphs, each a JSON text by its name. */
function complaints(graphs: Record<string, string>): string[] {
  const names = Object.keys(graphs);
  const lines = Object.values(graphs).map((json, nth) => `export const graph${nth}: Graph = ${json};`);
  const source = ["import type { Graph } from 'schema-dts';", ...lines].join('\n');
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) => {
    if (name === file) return ts.createSourceFile(name, source, ts.ScriptTarget.ES2022);
    if (!sources.has(name)) sources.set(name, getSourceFile(name, ...rest));
    return sources.get(name);
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ file: at, start, messageText }) => {
      const line = at && start !== undefined ? at.getLineAndCharacterOfPosition(start).line : 0;
      return `${names[line - 1]}: ${ts.flattenDiagnosticMessageText(messageText, '\n').slice(0, 500)}`;
    });
}

function graphOf(html: string): string {
  return /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '"there is none"';
}

test('structured data is made of types and properties that schema.org has', async ({ request }) => {
  const graphs: Record<string, string> = {};
  const sitemap = await (await request.get('/sitemap.xml')).text();
  for (const [, address = ''] of sitemap.matchAll(/<loc>([^<]+)/g)) {
    const { pathname } = new URL(address);
    graphs[pathname] = graphOf(await (await request.get(pathname)).text());
  }
  expect(Object.keys(graphs).length).toBeGreaterThan(60);
  expect(complaints(graphs)).toEqual([]);

  const home = graphs['/'] ?? '';
  const wrong = {
    phone: home.replaceAll('"telephone"', '"phone"'),
    QuestionsPage: home.replaceAll('"FAQPage"', '"QuestionsPage"'),
    Person: home.replaceAll('"PostalAddress"', '"Person"'),
  };
  const found = complaints(wrong);
  for (const name of Object.keys(wrong))
    expect(found, name).toContainEqual(expect.stringMatching(`^${name}: `));
});
