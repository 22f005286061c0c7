// The build of the client and of the prerenderer: react is aliased to preact/compat, nothing is
// inlined, no polyfill is injected. scripts/prerender.mjs writes the prerendered documents after
// both builds.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { apiDocs } from './build/api-docs.ts';
import { fonts } from './build/fonts.ts';
import { jsonPick } from './build/json-pick.ts';
import { preload } from './build/preload.ts';
import { runtimeContent } from './build/runtime-content.ts';
import { sampleCompany } from './build/sample-company.ts';
import { states } from './build/states.ts';

const server = process.env.GUARDPOST_URL ?? 'http://127.0.0.1:8080';

/**
 * Modules that stay in one chunk whichever page imports them: split, they compress worse and need
 * more requests.
 */
const chunkGroups = [
  { name: 'runtime', test: /node_modules\/preact\/|build\/wouter-react/, priority: 2 },
  {
    name: 'forms',
    test: /src\/(forms\/(?!attachments|quote-form|contact-form|suggest-fix|fixes|banner)|api\/(public-client|submissions)|ui\/button)|forms\/patterns/,
    priority: 1,
  },
  { name: 'contact', test: /sections\/(contact-)?section\.tsx|forms\/contact/ },
];

/**
 * Names of styles and drawings, the same in every build: what the server renders names the files of
 * the site. The first script lists them: each hexadecimal digit is half a byte of every page.
 */
const assetNames = {
  hashCharacters: 'hex' as const,
  assetFileNames: 'assets/[name]-[hash:7][extname]',
};

/** The page renderer is one file: the engine that runs it loads no other. */
const rendererOutput = (mode: string) =>
  mode === 'renderer' ? { ...assetNames, codeSplitting: false as const } : undefined;

export default defineConfig(({ mode }) => ({
  plugins: [runtimeContent, apiDocs, fonts, jsonPick, preload, states, sampleCompany],
  resolve: {
    alias: [
      { find: /^react-dom\/client$/, replacement: 'preact/compat/client' },
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: 'preact/jsx-runtime' },
      { find: /^react(-dom)?$/, replacement: 'preact/compat' },
      {
        find: './react-deps.js',
        replacement: fileURLToPath(new URL('build/wouter-react-deps.ts', import.meta.url)),
      },
      { find: '@seeds', replacement: fileURLToPath(new URL('../seeds', import.meta.url)) },
    ],
  },
  ssr: { noExternal: true },
  server: {
    host: '127.0.0.1',
    fs: { allow: ['..'] },
    proxy: { '/api': server, '/auth': server },
  },
  build: {
    target: 'es2022',
    manifest: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // Without this, the router's link component, which the site does not use, stays in the
      // bundle.
      treeshake: { manualPureFunctions: ['forwardRef', 'createContext'] },
      output: rendererOutput(mode) ?? {
        ...assetNames,
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups },
      },
    },
    // Documents list the chunks their page needs; chunks loaded later list only their styles.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files, { hostType }) => (hostType === 'html' ? files : []),
    },
  },
  test: {
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    // The first test of a file also waits for its modules, beside a compiler of the server.
    testTimeout: 30_000,
    server: { deps: { inline: ['wouter'] } },
  },
}));
