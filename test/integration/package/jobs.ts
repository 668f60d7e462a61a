import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import vm from 'node:vm';
import { gzipSync } from 'node:zlib';

import { buildSync, transformSync } from 'esbuild';

import { CALL_SECRET, signedCall } from '../../support/signed-call';
import { type Programs, programsOf } from './programs';
import { CHECKOUT_DIR, STRICTEST, type UserFolder } from './user-folder';

const MOST_BYTES = 40_000;

/** `quarterjack/jobs`: one entry for Node.js and for what has web APIs alone. */
export const jobsSuite = (user: () => UserFolder, strict: Programs): void =>
  describe('quarterjack/jobs', () => {
    test('import and require give the errors of a worker', () => {
      user().write(
        'jobs.mjs',
        `import { createRequire } from 'node:module';
import { FatalError, RetryAfter } from 'quarterjack/jobs';
import * as worker from 'quarterjack/worker';
const required = createRequire(import.meta.url)('quarterjack/jobs');
console.log(FatalError === worker.FatalError, RetryAfter === worker.RetryAfter, required.FatalError === FatalError);
`,
      );
      expect(user().run(process.execPath, 'jobs.mjs')).toBe('true true true\n');
    });

    test('a bundle for the edge has no Node.js in it, and answers a delivery', async () => {
      user().write(
        'edge.js',
        `import { defineJob, serve } from 'quarterjack/jobs';
const report = defineJob({ id: 'report', run: ({ payload }) => payload });
globalThis.answer = serve([report], { secret: '${CALL_SECRET}' }).fetch;`,
      );
      const [bundle] = buildSync({
        absWorkingDir: user().dir,
        entryPoints: ['edge.js'],
        bundle: true,
        minify: true,
        platform: 'neutral',
        conditions: ['workerd', 'worker', 'browser'],
        mainFields: ['browser', 'module', 'main'],
        write: false,
      }).outputFiles;
      expect(bundle!.text).not.toContain('node:');
      expect(gzipSync(bundle!.contents).length).toBeLessThan(MOST_BYTES);
      const web = {
        AbortController,
        AbortSignal,
        atob,
        crypto,
        Headers,
        Request,
        Response,
        TextDecoder,
        TextEncoder,
      };
      const context = vm.createContext({ ...web, clearTimeout, console, setTimeout, Uint8Array, URL });
      vm.runInContext(bundle!.text, context);
      const body = '{"region":"eu"}';
      const request = new Request('https://app.test', { method: 'POST', body, headers: signedCall(body) });
      const response = await (context.answer as (request: Request) => Promise<Response>)(request);
      expect([response.status, await response.text()]).toEqual([200, body]);
    });

    strict.add(
      'jobs.ts',
      `import { after, cron, defineJob, type StandardSchema, serve, testJob } from 'quarterjack/jobs';
declare const schema: StandardSchema<{ region: string }>;
export const nightly = defineJob({
  id: 'nightly',
  schedule: cron('30 2 * * *', { timezone: 'Europe/Berlin' }),
  schema,
  payload: { region: 'eu' },
  run: async ({ payload, log, signal }) => {
    const region: string = payload.region;
    // @ts-expect-error: the schema has no such field
    payload.rows;
    log.info(\`\${region} \${signal.aborted}\`);
    return { rows: 7 };
  },
});
export const next = defineJob({ id: 'next', schedule: after(nightly, { on: 'done' }), run: () => undefined });
// @ts-expect-error: what is called is said where it is deployed
defineJob({ id: 'wrong', target: { type: 'http', url: '' }, run: () => 1 });
export const { lambda } = serve({ nightly, next });
export const rows = async (): Promise<number | undefined> => (await testJob(nightly)).result?.rows;
`,
    );
    test('a payload has the type of its schema, and a test the type of the result', () => {
      expect(strict.faultsOf('jobs.ts')).toEqual([]);
    });

    const page = readFileSync(join(CHECKOUT_DIR, 'docs/coming-from-functions.md'), 'utf8');
    const products = [
      [
        'BullMQ',
        'function digest(): void; declare function remind(id: string): void; declare const orderId: string;',
      ],
      [
        'Trigger.dev',
        'function rowsOf(day: Date): Promise<number>; declare function send(to: string): void; declare const email: string;',
      ],
      [
        'Inngest',
        'function load(): Promise<string>; declare function send(text: string): void; declare function greet(): void;',
      ],
    ] as const;

    test('each program for readers who come from elsewhere can be read, and each of ours is compiled', () => {
      const programs = [...page.matchAll(/^```(\w*)\n([^]*?)^```/gm)].map(([, , program = '']) => program);
      for (const program of programs) expect(() => transformSync(program, { loader: 'ts' })).not.toThrow();
      const ours = programs.filter((program) => program.startsWith('// here\n'));
      const theirs = programs.filter((program) => program.startsWith('// there\n'));
      expect(ours).toHaveLength(products.length);
      expect(programs).toHaveLength(ours.length + theirs.length);
    });

    describe('what it becomes compiles, with the functions of the reader', () => {
      const become = programsOf(user, ...STRICTEST, '--skipLibCheck');
      beforeAll(() =>
        symlinkSync(join(CHECKOUT_DIR, 'node_modules/zod'), join(user().dir, 'node_modules/zod')),
      );
      for (const [product, functions] of products) {
        const section = page.slice(page.indexOf(`\n## ${product}\n`));
        const [, program = ''] = /```ts\n(\/\/ here\n[^]*?)```/.exec(section) ?? [];
        become.add(`${product}.mts`, `${program}\ndeclare ${functions}\n`);
        test(`of a function of ${product}`, () => {
          expect(program).toContain('defineJob({');
          expect(become.faultsOf(`${product}.mts`)).toEqual([]);
        });
      }
    });

    test('no condition of its export leads elsewhere', () => {
      const file = join(user().dir, 'node_modules/quarterjack/package.json');
      const { exports } = JSON.parse(readFileSync(file, 'utf8')) as { exports: Record<string, object> };
      expect(exports['./jobs']).toEqual({ types: './jobs.d.ts', default: './jobs.js' });
    });
  });
