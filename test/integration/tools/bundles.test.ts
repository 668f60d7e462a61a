import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

interface Output {
  bytes: number;
  inputs: Record<string, unknown>;
  imports: { path: string; kind: string }[];
}
let outputs: Record<string, Output>;

beforeAll(() => {
  execFileSync(process.execPath, [join(root, 'scripts/build-lambdas.mjs')]);
  const meta = readFileSync(join(root, 'dist/lambdas/meta.json'), 'utf8');
  ({ outputs } = JSON.parse(meta) as { outputs: typeof outputs });
});

const STAGES = [
  'authorizer',
  'api',
  'tick',
  'scanner',
  'executor',
  'sweeper',
  'auditor',
  'canary',
  'worker',
  'ping',
  'watcher',
  'follower',
  'exporter',
  'console',
  'provider',
];
const folderOf = (stage: string) => `dist/lambdas/${stage}/`;

/** The source files that a function loads before its first invocation. */
function loadedAtStart(stage: string): string[] {
  const seen = new Set<string>();
  const read = (path: string): void => {
    const output = outputs[path];
    if (!output || seen.has(path)) return;
    seen.add(path);
    for (const { kind, path: imported } of output.imports) if (kind === 'import-statement') read(imported);
  };
  read(`${folderOf(stage)}index.mjs`);
  return [...seen].flatMap((path) => Object.keys(outputs[path]!.inputs));
}

// The api has 18 kB of names of zones, which errors suggest, and 325 kB that make the OpenAPI document.
// Another 16 kB check payloads by their schemas, and 10 kB are for the keys of pings.
// Pauses with an end and bounds of durations add 5 kB to that document and to views.
test.each(STAGES)('all files of the %s together are smaller than 1.6 MB', (stage) => {
  const own = Object.entries(outputs).filter(([path]) => path.startsWith(folderOf(stage)));
  expect(own.length).toBeGreaterThan(0);
  expect(own.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThan(1_600_000);
});

test.each(STAGES)('the %s loads no module at start that few invocations need', (stage) => {
  const clients =
    'cloudwatch|scheduler|sns|sfn|eventbridge' + (['canary', 'provider'].includes(stage) ? '' : '|lambda');
  const rarelyNeeded = new RegExp(
    `zod/v4/classic/|zod-openapi|nested-clients/dist|credential-provider-(ini|sso|process|login)|client-(${clients})/`,
  );
  const loaded = loadedAtStart(stage);
  expect(loaded).toContain(`lambdas/${stage}/handler.ts`);
  expect(loaded.filter((path) => rarelyNeeded.test(path))).toEqual([]);
});
