import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../../..');
const bin = (name: string) => join(root, 'node_modules/.bin', name);
let dir: string;

/** A checkout with the rules of this one and other files. */
function checkout(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, dirname(path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

/** Standard output of a linter, whatever it thinks of the files. */
function run(name: string, args: string[]): string {
  try {
    return execFileSync(bin(name), args, { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'quarterjack-lint-'));
  for (const file of ['package.json', 'tsconfig.json', '.oxlintrc.json', '.dependency-cruiser.cjs'])
    copyFileSync(join(root, file), join(dir, file));
  cpSync(join(root, 'scripts/lint'), join(dir, 'scripts/lint'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(dir, 'node_modules'));
});
afterAll(() => rmSync(dir, { recursive: true }));

describe('import zones', () => {
  const core = 'lambdas/core';
  const forbidden: [rule: string, from: string, to: string][] = [
    ['no-cycle', 'local/a.ts', 'local/b.ts'],
    ['contracts-imports', `${core}/contracts/keys.ts`, `${core}/domain/job.ts`],
    ['http-imports', `${core}/http/body.ts`, `${core}/store/job-store.ts`],
    ['domain-imports', `${core}/domain/plan.ts`, `${core}/store/job-store.ts`],
    ['domain-imports', `${core}/domain/now.ts`, `${core}/clock/system-clock.ts`],
    ['clock-imports', `${core}/clock/zone.ts`, `${core}/domain/job.ts`],
    ['async-imports', `${core}/async/in-turn.ts`, `${core}/domain/job.ts`],
    ['interfaces-imports', `${core}/store/store.ts`, `${core}/store/dynamo/put.ts`],
    ['delivery-imports', `${core}/delivery/sign.ts`, `${core}/platform/secret.ts`],
    ['dynamo-imports', `${core}/store/dynamo/get.ts`, `${core}/platform/secret.ts`],
    ['sqs-imports', `${core}/queue/sqs/send.ts`, `${core}/store/dynamo/put.ts`],
    ['dispatch-imports', `${core}/dispatch/step.ts`, `${core}/store/dynamo/put.ts`],
    ['queue-imports', `${core}/queue/limit.ts`, `${core}/shards/count.ts`],
    ['shards-imports', `${core}/shards/walk.ts`, `${core}/dispatch/step.ts`],
    ['history-imports', `${core}/history/rows.ts`, `${core}/gates/lock.ts`],
    ['gates-imports', `${core}/gates/open.ts`, `${core}/attempts/end.ts`],
    ['ending-imports', `${core}/ending/end.ts`, `${core}/dispatch/step.ts`],
    ['one-ender', `${core}/gates/end.ts`, `${core}/store/execution-ends.ts`],
    ['one-ender', 'lambdas/sweeper/end.ts', `${core}/store/execution-ends.ts`],
    ['the-kernel-knows-no-listener', `${core}/ending/end.ts`, `${core}/ending/runs/go-on.ts`],
    ['the-kernel-knows-no-listener', `${core}/dispatch/send.ts`, `${core}/alerts/tell.ts`],
    ['the-kernel-knows-no-listener', `${core}/attempts/start.ts`, `${core}/gates/open.ts`],
    ['ends-without-follow-ups', `${core}/attempts/settle.ts`, `${core}/ending/end-without-follow-ups.ts`],
    ['attempts-imports', `${core}/attempts/claim.ts`, `${core}/platform/secret.ts`],
    ['schedule-imports', `${core}/schedule/zone.ts`, `${core}/domain/job.ts`],
    ['templates-imports', `${core}/templates/value.ts`, `${core}/domain/job.ts`],
    ['quotas-imports', `${core}/quotas/count.ts`, `${core}/store/job-store.ts`],
    ['events-imports', `${core}/events/event.ts`, `${core}/gates/open.ts`],
    ['deps-imports', `${core}/deps.ts`, `${core}/shards/count.ts`],
    ['platform-imports', `${core}/platform/run.ts`, 'lambdas/tick/plan.ts'],
    ['stages-meet-in-tables-and-queues', 'lambdas/sweeper/again.ts', 'lambdas/scanner/scan.ts'],
    ['handlers-alone-know-the-machine', 'lambdas/scanner/store.ts', `${core}/store/dynamo/put.ts`],
    ['handlers-alone-know-the-machine', 'lambdas/scanner/clock.ts', `${core}/clock/system-clock.ts`],
    ['handlers-alone-know-the-machine', 'lambdas/scanner/env.ts', `${core}/platform/secret.ts`],
    ['handlers-are-entries', 'lambdas/tick/call.ts', 'lambdas/tick/handler.ts'],
    ['only-the-executor-calls-targets', 'lambdas/api/try.ts', `${core}/delivery/call/http.ts`],
    ['only-the-executor-calls-targets', `${core}/delivery/targets/list.ts`, `${core}/delivery/call/sns.ts`],
    ['aws-sdk-behind-interfaces', `${core}/delivery/targets/sns.ts`, '@aws-sdk/client-sns'],
    ['lib-shares-contracts-alone', 'lib/table.ts', `${core}/domain/job.ts`],
    ['job-faults-knows-the-rules-of-definitions', 'lib/job-faults.ts', `${core}/store/job-store.ts`],
    ['lib-shares-contracts-alone', 'bin/main.ts', 'lambdas/tick/plan.ts'],
    ['local-knows-the-template-alone', 'local/keys.ts', `${core}/contracts/messages.ts`],
    ['local-knows-the-template-alone', 'local/synth.ts', 'lib/stack.ts'],
    ['lambdas-know-no-surroundings', 'lambdas/tick/deploy.ts', 'lib/stack.ts'],
    ['nothing-imports-tests', 'lambdas/tick/fake.ts', 'test/support/fake.ts'],
    ['tools-know-http-alone', 'client/api.ts', `${core}/contracts/messages.ts`],
    ['tools-know-http-alone', 'cli/commands/start.ts', 'local/start.ts'],
    ['client-stands-alone', 'client/errors.ts', 'cli/exit-codes.ts'],
    ['client-runs-in-browsers', 'client/keys.ts', 'node:crypto'],
    ['client-runs-in-browsers', 'client/files.ts', 'fs'],
    ['client-runs-in-browsers', 'client/page.ts', 'client/deliveries/verify.ts'],
    ['client-runs-in-browsers', 'client/browser.ts', 'client/index.ts'],
    ['jobs-in-code-run-anywhere', 'client/jobs-in-code/check.ts', 'client/deliveries/verify-delivery.ts'],
    ['product-needs-no-tools', 'local/host.ts', 'client/index.ts'],
    ['constructs-know-the-shape-of-jobs', 'lib/call.ts', 'client/index.ts'],
    ['console-knows-http-and-schedules', 'console/api/rows.ts', `${core}/domain/job.ts`],
    ['console-knows-http-and-schedules', 'console/api/calls.ts', 'client/index.ts'],
    ['nothing-imports-the-console', 'cli/commands/begin.ts', 'console/api/pace.ts'],
    ['browser-packages-in-the-console', 'local/page.ts', 'preact'],
    ['aws-sdk-behind-interfaces', 'client/cloud.ts', '@aws-sdk/client-sqs'],
    ['no-development-package-at-run-time', 'cli/cron.ts', 'croner'],
    ['bench-shares-test-support', 'bench/cases.ts', 'test/unit/cases.ts'],
    ['lambda-types-at-the-edge', 'lambdas/tick/event.ts', 'aws-lambda'],
    ['lambda-types-at-the-edge', `${core}/domain/event.ts`, '@middy/core'],
    ['cdk-at-synth-time', 'local/app.ts', 'aws-cdk-lib'],
    ['cdk-at-synth-time', 'test/unit/stack.ts', 'aws-cdk-lib/aws-sqs'],
    ['nag-in-template-tests', 'lib/nag.ts', 'cdk-nag'],
    ['aws-sdk-behind-interfaces', 'lambdas/scanner/sqs.ts', '@aws-sdk/client-sqs'],
    ['aws-sdk-behind-interfaces', `${core}/dispatch/sqs.ts`, '@aws-sdk/client-sqs'],
    ['powertools-behind-telemetry', 'lambdas/scanner/log.ts', '@aws-lambda-powertools/logger'],
    ['no-development-package-at-run-time', 'lambdas/api/cron.ts', 'croner'],
    ['small-zod-at-start', 'lambdas/scanner/shape.ts', 'zod'],
    ['small-zod-at-start', 'lambdas/api/shape.ts', 'zod'],
    ['small-zod-at-start', 'lambdas/api/same-shape.ts', 'zod/v4'],
    ['small-zod-at-start', `${core}/http/shape.ts`, 'zod'],
  ];
  const allowed: [from: string, to: string][] = [
    ['lib/queues.ts', `${core}/contracts/messages.ts`],
    ['cli/context.ts', 'client/index.ts'],
    ['cli/names.ts', `${core}/contracts/suggestion.ts`],
    ['lib/job.ts', 'client/types.ts'],
    ['examples/first.ts', 'client/index.ts'],
    ['console/api/client.ts', 'client/browser.ts'],
    ['console/planning/times.ts', `${core}/schedule/zone.ts`],
    ['console/app/page.ts', 'preact'],
    ['client/index.ts', 'client/deliveries/verify.ts'],
    ['client/jobs-in-code/serve.ts', 'client/deliveries/fence-guard.ts'],
    ['lambdas/tick/request.ts', `${core}/contracts/messages.ts`],
    ['lambdas/tick/handler.ts', 'lambdas/tick/plan.ts'],
    ['lambdas/tick/handler.ts', `${core}/clock/system-clock.ts`],
    ['lambdas/tick/handler.ts', 'aws-lambda'],
    [`${core}/delivery/call/sqs.ts`, '@aws-sdk/client-sqs'],
    ['lambdas/executor/run.ts', `${core}/delivery/call/sqs.ts`],
    ['lambdas/scanner/small-shape.ts', 'zod/mini'],
    [`${core}/http/small-shape.ts`, 'zod/mini'],
    [`${core}/http/openapi/answers.ts`, 'zod'],
    [`${core}/http/openapi/document.ts`, 'zod'],
    ['test/unit/any.ts', 'lambdas/tick/handler.ts'],
    ['test/template/any.ts', 'aws-cdk-lib'],
    ['bench/world.ts', 'test/support/fake.ts'],
    [`${core}/dispatch/any.ts`, `${core}/store/job-store.ts`],
  ];
  let reported: string[];

  beforeAll(() => {
    const imports = new Map<string, string[]>([['local/b.ts', ['local/a.ts']]]);
    for (const [from, to] of [...forbidden.map(([, ...edge]) => edge), ...allowed]) {
      imports.set(from, [...(imports.get(from) ?? []), to]);
      if (to.endsWith('.ts') && !imports.has(to)) imports.set(to, []);
    }
    const specifier = (from: string, to: string) =>
      to.endsWith('.ts') ? `./${relative(dirname(from), to).replace(/\.ts$/, '')}` : to;
    // Half of them import types alone, which counts as much.
    checkout(
      Object.fromEntries(
        [...imports].map(([from, list], index) => [
          from,
          [
            ...list.map(
              (to, at) => `import ${index % 2 ? 'type ' : ''}* as i${at} from '${specifier(from, to)}';`,
            ),
            `export ${index % 2 ? 'type All = [' : 'const all = ['}${list.map((_, at) => (index % 2 ? `typeof i${at}` : `i${at}`)).join()}];`,
          ].join('\n'),
        ]),
      ),
    );
    const flags = '--config .dependency-cruiser.cjs --output-type json --preserve-symlinks';
    const output = run('depcruise', ['.', ...flags.split(' ')]);
    const { summary } = JSON.parse(output) as {
      summary: { violations: { rule: { name: string }; from: string; unresolvedTo?: string; to: string }[] };
    };
    reported = summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
  });

  // The report leaves out `node:`.
  const line = (rule: string, from: string, to: string) =>
    expect.stringMatching(`^${rule}: ${from} → (node_modules/(@types/)?)?${to.replace(/^node:/, '')}`);

  test.each(forbidden)('%s: %s does not import %s', (rule, from, to) => {
    expect(reported).toContainEqual(line(rule, from, to));
  });

  test.each(allowed)('%s may import %s', (from, to) => {
    expect(reported).not.toContainEqual(line('[a-z-]+', from, to));
  });
});

describe('rules of the code', () => {
  const refused: [rule: string, path: string, text: string][] = [
    ...[
      'Date.now()',
      'new Date()',
      'Date()',
      'Math.random()',
      'performance.now()',
      'crypto.randomUUID()',
      'globalThis.Date.now()',
      "Date['now']()",
      'process.hrtime()',
      'AbortSignal.timeout(1)',
      'setTimeout(() => {}, 1)',
    ].map((text): [string, string, string] => [
      'no-ambient-time',
      'lambdas/tick/time.ts',
      `export const x = ${text};`,
    ]),
    [
      'no-ambient-time',
      'lambdas/tick/id.ts',
      "import { randomUUID } from 'node:crypto';\nexport const x = randomUUID;",
    ],
    [
      'no-ambient-time',
      'lambdas/core/domain/bytes.ts',
      "import { randomBytes } from 'crypto';\nexport const x = randomBytes;",
    ],
    [
      'no-ambient-time',
      'lambdas/tick/perf.ts',
      "import { performance } from 'node:perf_hooks';\nexport const x = performance;",
    ],
    [
      'no-ambient-time',
      'lambdas/tick/wait.ts',
      "import { setTimeout as wait } from 'node:timers/promises';\nexport const x = wait;",
    ],
    ['one-ender', 'lambdas/sweeper/ends.ts', 'export const x = (deps: any) => deps.ends.finish();'],
    ['one-ender', 'lambdas/core/gates/ends.ts', 'export const x = ({ ends }: any) => ends.endWaiting();'],
    ['whole-reads', 'lambdas/sweeper/read.ts', 'export const x = (deps: any) => deps.jobs.getMany([]);'],
    ['whole-reads', 'lambdas/core/gates/read.ts', 'export const x = ({ getMany }: any) => getMany([]);'],
    ['zod-as-namespace', 'lambdas/tick/zod.ts', "import { z } from 'zod';\nexport const x = z.string();"],
    [
      'zod-as-namespace',
      'lambdas/tick/mini.ts',
      "import { z } from 'zod/mini';\nexport const x = z.string();",
    ],
    [
      'zod-as-namespace',
      'lambdas/tick/core.ts',
      "import * as z from 'zod';\nexport const x = z.core.safeParse;",
    ],
    [
      'no-floating-promises',
      'lambdas/tick/floating.ts',
      'const go = async () => 1;\nexport function x() {\n  go();\n}',
    ],
    [
      'no-misused-promises',
      'lambdas/tick/misused.ts',
      'const go = async () => true;\nexport const x = () => {\n  if (go()) return 1;\n  return 2;\n};',
    ],
    ['no-focused-tests', 'test/unit/focused.test.ts', "test.only('one', () => expect(1).toBe(1));"],
    ['no-disabled-tests', 'test/unit/skipped.test.ts', "test.skip('one', () => expect(1).toBe(1));"],
  ];
  const accepted: [path: string, text: string][] = [
    ['lambdas/core/clock/now.ts', 'export const x = Date.now();'],
    [
      'lambdas/tick/given.ts',
      'export const x = new Date(0).toISOString() + Date.UTC(2026) + Math.floor(1.5);',
    ],
    [
      'lambdas/tick/hash.ts',
      "import { createHash } from 'node:crypto';\nexport const x = createHash('sha256');",
    ],
    ['lambdas/tick/names.ts', "import * as z from 'zod';\nexport const x = z.string();"],
    ['local/now.ts', 'export const x = Date.now();'],
    [
      'lambdas/core/ending/end.ts',
      'export const x = (deps: { ends: { finish(): number } }) => deps.ends.finish();',
    ],
  ];
  let reported: { filename: string; code: string }[];

  beforeAll(() => {
    const numbered = refused.map(([, path, text], index) => [
      path.replace(/\.(test\.)?ts$/, `-${index}.$1ts`),
      text,
    ]);
    checkout(Object.fromEntries([...numbered, ...accepted]));
    const output = run('oxlint', [
      '--type-aware',
      '--format',
      'json',
      ...numbered.map(([path]) => path ?? ''),
      ...accepted.map(([path]) => path),
    ]);
    reported = (JSON.parse(output) as { diagnostics: typeof reported }).diagnostics;
  });

  test.each(refused.map((one, index) => [...one, index] as const))(
    '%s: %s with %j',
    (rule, path, _text, index) => {
      const filename = path.replace(/\.(test\.)?ts$/, `-${index}.$1ts`);
      const codes = reported.filter((one) => one.filename === filename).map(({ code }) => code);
      expect(codes).toContainEqual(expect.stringContaining(`(${rule})`));
    },
  );

  test.each(accepted)('%s is fine', (path) => {
    expect(reported.filter((one) => one.filename === path)).toEqual([]);
  });
});
