import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { importFromStepFunctions } from '../../../cli/import/step-functions/translate';
import { isRetriedStatus, type RetriedStatus } from '../../../lambdas/core/domain/retry-policy';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import { IS_DEEP } from '../../support/deep';
import {
  type Reply,
  type Replies,
  type Call,
  interpret,
  type Json,
} from '../../support/state-machines/interpreter';
import { someReplies, someInput, someMachine } from '../../support/state-machines/random-machine';
import { WorkflowWorld } from '../../support/workflow-world';

type Fields = Record<string, unknown>;
interface Imported {
  workflow: { tasks: Record<string, { retry?: { on?: RetriedStatus[] } }>; params?: object };
  timeout: string;
}

const MOST_STEPS = 400;

/** Runs a translated machine, with the replies of the targets by the states that call them. */
async function runImported(
  { workflow, timeout }: Imported,
  input: Json,
  replies: Replies,
): Promise<{ status: string; calls: Call[] }> {
  const flow = await WorkflowWorld.started();
  const calls: Call[] = [];
  const counts: Record<string, number> = {};
  let reply: Reply = { status: 500 };
  const { observe } = flow.world;
  flow.world.observe = (delivery, target) => {
    observe?.(delivery, target);
    const state = (target as { url: string }).url.split('/').at(-1)!.split('?')[0]!;
    const text = delivery.body.toString('utf8');
    calls.push({ state, input: text === '' ? null : (JSON.parse(text) as Json) });
    reply = replies(state, (counts[state] = (counts[state] ?? -1) + 1));
  };
  flow.world.behaviour = () => {
    const { status, body = '' } = reply;
    if (status < 300)
      return { outcome: 'succeeded', statusCode: status, output: { json: JSON.stringify(body) } };
    const { retry } = workflow.tasks[flow.lastHeaders['quarterjack-task']!]!;
    const outcome = isRetriedStatus(status, retry?.on) ? 'retriable' : 'fatal';
    return { outcome, statusCode: status, error: `target answered ${status}` };
  };
  const { tasks, ...rest } = workflow;
  const whole = Object.entries(tasks).map(([id, task]) => [id, { target: null, ...task }] as const);
  await flow.save(Object.fromEntries(whole), { timeout }, rest);
  await flow.run(workflow.params ? { params: { input } } : undefined);
  for (let step = 0; step < MOST_STEPS; step++) {
    await flow.world.run(1_000);
    if (flow.rows().length > 0 && isTerminal(flow.runRow.status)) break;
  }
  return { status: flow.runRow.status, calls };
}

const sorted = (calls: readonly Call[]) => calls.map((one) => JSON.stringify(one)).toSorted();
const hasParallel = (machine: Fields): boolean => JSON.stringify(machine).includes('"Parallel"');

/** How both ended, in a form that is equal if they behaved alike. */
async function compare(machine: Fields, input: Json, given: readonly Reply[]) {
  const { jobs, refused } = importFromStepFunctions(machine, 'm', 'm');
  const [job] = jobs;
  if (!job) return { refused: refused.map(({ reason }) => reason) };
  const replies: Replies = (state, count) =>
    given[(count + Number(state.replaceAll(/\D/g, ''))) % given.length]!;
  const there = interpret(machine as Parameters<typeof interpret>[0], input, replies);
  const here = await runImported(job.definition as unknown as Imported, input, replies);
  const listed = hasParallel(machine)
    ? sorted
    : (calls: readonly Call[]) => calls.map((one) => JSON.stringify(one));
  // What a failed branch abandons is a matter of time: nothing else may be called.
  if (there.hasAbandoned) {
    const allowed = sorted(there.calls);
    const other = sorted(here.calls).filter((one) => !allowed.includes(one));
    return { here: { status: here.status, other }, there: { status: there.status, other: [] } };
  }
  return {
    here: { status: here.status, calls: listed(here.calls) },
    there: { status: there.status, calls: listed(there.calls) },
  };
}

const ALL = { ErrorEquals: ['States.ALL'] };
const http = (state: string, fields: Fields, RequestBody: Fields = {}): Fields => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::http:invoke',
  Parameters: { ApiEndpoint: `https://example.com/${state}`, Method: 'POST', RequestBody },
  ResultPath: null,
  ...fields,
});
const machineOf = (States: Record<string, Fields>): Fields => ({ StartAt: Object.keys(States)[0]!, States });
const OK: Reply = { status: 200, body: { n: 1 } };
const NO: Reply = { status: 404 };

test.each<[string, Fields, Record<string, Reply>, string[]]>([
  [
    'a failure that a handler hands to Fail fails the run',
    machineOf({
      A: http('A', { Catch: [{ ...ALL, ResultPath: null, Next: 'X' }], End: true }),
      X: { Type: 'Fail', Error: 'E' },
    }),
    { A: NO },
    ['A', 'failed'],
  ],
  [
    'the second of two states with one handler',
    machineOf({
      A: http('A', { Catch: [{ ...ALL, ResultPath: null, Next: 'X' }], Next: 'B' }),
      B: http('B', { Catch: [{ ...ALL, ResultPath: null, Next: 'X' }], Next: 'D' }),
      D: http('D', { End: true }),
      X: http('X', { End: true }),
    }),
    { B: NO },
    ['A', 'B', 'X', 'succeeded'],
  ],
  [
    'a handler that is also the next state',
    machineOf({
      A: http('A', { Catch: [{ ...ALL, ResultPath: null, Next: 'B' }], Next: 'B' }),
      B: http('B', { End: true }),
    }),
    {},
    ['A', 'B', 'succeeded'],
  ],
  [
    'a branch that a choice ends',
    machineOf({
      P: {
        Type: 'Parallel',
        Next: 'Z',
        Branches: [
          machineOf({
            C: { Type: 'Choice', Choices: [{ Variable: '$.n', StringEquals: 'a', Next: 'B' }], Default: 'S' },
            B: http('B', { End: true }),
            S: { Type: 'Succeed' },
          }),
        ],
      },
      Z: http('Z', { End: true }),
    }),
    {},
    ['Z', 'succeeded'],
  ],
  [
    'a branch that fails after the one beside it has ended',
    machineOf({
      P: {
        Type: 'Parallel',
        Next: 'Z',
        Branches: [
          machineOf({ A: http('A', { End: true }) }),
          machineOf({
            W: { Type: 'Wait', Seconds: 5, Next: 'C' },
            C: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 1, Next: 'F' }], Default: 'S' },
            F: { Type: 'Fail' },
            S: { Type: 'Succeed' },
          }),
        ],
      },
      Z: http('Z', { End: true }),
    }),
    {},
    ['A', 'failed'],
  ],
  [
    'a value that is missing is no failure that a handler takes',
    machineOf({
      A: http('A', { Catch: [{ ...ALL, ResultPath: null, Next: 'X' }], End: true }, { 'x.$': '$.missing' }),
      X: http('X', { End: true }),
    }),
    {},
    ['failed'],
  ],
  [
    'a choice without a rule that holds',
    machineOf({
      C: { Type: 'Choice', Choices: [{ Variable: '$.n', NumericEquals: 7, Next: 'A' }] },
      A: http('A', { End: true }),
    }),
    {},
    ['failed'],
  ],
])('%s', async (_, machine, replies, expected) => {
  const { jobs } = importFromStepFunctions(machine, 'm', 'm');
  const { calls, status } = await runImported(
    jobs[0]!.definition as unknown as Imported,
    { n: 1 },
    (state) => replies[state] ?? OK,
  );
  expect([...calls.map(({ state }) => state), status]).toEqual(expected);
});

const FIXTURES = join(__dirname, '../../fixtures/state-machines');
const fixture = (file: string) =>
  JSON.parse(readFileSync(join(FIXTURES, `${file}.asl.json`), 'utf8')) as Fields;

test.each<[file: string, input: Json, calls: [state: string, input: Json][], status: string]>([
  ['input-path', { a: { b: 7 }, b: 8 }, [['A', { x: 7 }]], 'succeeded'],
  ['is-present', { n: null }, [['B', { n: 'B' }]], 'succeeded'],
  ['is-present', {}, [['D', { n: 'D' }]], 'succeeded'],
  ['branch-ends-in-succeed', { n: 'b' }, [['Z', { n: 'Z' }]], 'succeeded'],
  [
    'branch-ends-in-succeed',
    { n: 'a' },
    [
      ['B', { n: 'B' }],
      ['Z', { n: 'Z' }],
    ],
    'succeeded',
  ],
  [
    'catch-to-next',
    {},
    [
      ['A', { n: 'A' }],
      ['B', { n: 'B' }],
    ],
    'succeeded',
  ],
  [
    'two-catch-one-handler',
    {},
    [
      ['A', { n: 'A' }],
      ['B', { n: 'B' }],
      ['X', { n: 'X' }],
    ],
    'succeeded',
  ],
  ['catch-to-fail', {}, [['A', { n: 'A' }]], 'failed'],
  [
    'response-body',
    {},
    [
      ['A', { n: 'A' }],
      ['B', { v: 'from A' }],
    ],
    'succeeded',
  ],
])('the fixture %s calls what the machine calls: %j', async (file, input, calls, status) => {
  const machine = fixture(file);
  const { jobs } = importFromStepFunctions(machine, 'm', 'm');
  const statusOf = (state: string): number =>
    Number(new RegExp(`/${state}\\?c=(\\d+)`).exec(JSON.stringify(machine))?.[1] ?? 200);
  const ended = await runImported(jobs[0]!.definition as unknown as Imported, input, (state) => ({
    status: statusOf(state),
    body: { x: `from ${state}` },
  }));
  expect(ended).toEqual({
    status,
    calls: calls.map(([state, body]) => ({ state, input: body })),
  });
});

test('a handler that needs the error is refused by its name', () => {
  const reason = 'the error of A is no value here: let the handler do without it';
  expect(importFromStepFunctions(fixture('handler-takes-the-error'), 'm', 'm')).toEqual({
    jobs: [],
    refused: [{ source: 'm: H', reason }],
  });
});

test('a translated machine calls and ends as the machine does, on every way', async () => {
  const counts = { whole: 0, refused: 0, failed: 0, called: 0 };
  await fc.assert(
    fc.asyncProperty(someMachine(), someInput(), someReplies(), async (machine, input, replies) => {
      const { refused, here, there } = await compare(machine, input, replies);
      if (refused) {
        counts.refused += 1;
        return;
      }
      counts.whole += 1;
      if (here?.status === 'failed') counts.failed += 1;
      if (here && 'calls' in here && here.calls!.length > 0) counts.called += 1;
      expect(here).toEqual(there);
    }),
    { numRuns: IS_DEEP ? 10_000 : 300 },
  );
  // The sample has machines of all kinds.
  expect(counts.whole).toBeGreaterThan(counts.refused / 4);
  expect(counts.failed).toBeGreaterThan(counts.whole / 20);
  expect(counts.called).toBeGreaterThan(counts.whole / 4);
}, 3_600_000);
