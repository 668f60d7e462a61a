import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** A local run, for `npx vite console`. */
const API = process.env.QUARTERJACK_API ?? 'http://127.0.0.1:8787';

export default defineConfig({
  root: path('.'),
  base: '/console/',
  configFile: false,
  publicDir: false, // scripts/build-console.mjs adds these files
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: {
    alias: {
      'node:crypto': path('planning/node-crypto.ts'),
      '../../../client/ics/windows-zones': path('planning/no-windows-zones.ts'),
      './zone-names': path('planning/zone-names.ts'),
      './previous-occurrence': path('planning/no-previous-occurrence.ts'),
      './allowed-times': path('planning/no-calendars.ts'),
      './moved-notes': path('planning/no-moved-notes.ts'),
      './argument-checks': path('api/no-argument-checks.ts'),
      './response-shape': path('api/no-response-checks.ts'),
    },
  },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'safari17.5', 'firefox121'],
    cssCodeSplit: false,
    modulePreload: false, // what a page shares with others is in `shared`, and there already
    assetsInlineLimit: 0, // the content security policy allows no data URLs
    write: false,
    rolldownOptions: {
      output: {
        // What several pages share is one file: each file of a first visit is an invocation of the function.
        codeSplitting: {
          groups: [
            {
              name: 'shared',
              test: /console\/(api|app|draw|editor\/(?!form\/)|pages|parts|time|planning\/(words|short-form))\b/,
              minShareCount: 2,
            },
            // Who reads jobs needs no form of them.
            { name: 'form', test: /console\/editor\/form\// },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/v1': API, '/_local': API, '/console/config.json': API },
  },
});
