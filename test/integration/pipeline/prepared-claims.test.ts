import { type Clock, SECOND_MS } from '../../../lambdas/core/clock/clock';
import type { ClaimRequest } from '../../../lambdas/core/store/execution-store';
import type { ExecutorDeps } from '../../../lambdas/executor/deps';
import { aMessage } from '../../support/factories';
import type { PipelineWorld } from '../../support/pipeline-world';
import { DUE_MS, worldBefore } from '../../support/waiting-message';

const isClaim = ({ UpdateExpression }: Record<string, unknown>): boolean =>
  String(UpdateExpression).includes('#claimId = :claimId');

/**
 * What an executor does that receives the message of a job so long before its time.
 *
 * @param own what is special about it, or about its world
 * @param message what is special about the message
 */
async function received(
  earlyMs: number,
  own: (world: PipelineWorld) => Partial<ExecutorDeps> = () => ({}),
  message: Parameters<typeof aMessage>[0] = {},
) {
  // Notes when claims were made, and when a request of theirs reached the table.
  const { world, log, note, execute } = await worldBefore(earlyMs);
  const { executions } = world.deps;
  const noted = {
    ...executions,
    claim(request: ClaimRequest, options?: Parameters<typeof executions.claim>[1]) {
      note(`claim of ${request.nowMs - DUE_MS}`);
      return executions.claim(request, options);
    },
  };
  world.dynamo.faults.before = ({ input }) => {
    if (isClaim(input)) note('request');
  };
  const deps: ExecutorDeps = { ...world.deps, executions: noted, ...own(world) };
  const { message: asked, executing } = execute(deps, message);
  await world.run(earlyMs + 30 * SECOND_MS);
  const { failedIds } = await executing;
  return { world, log, failedIds, row: await executions.get(asked) };
}

test.each([
  ['when its message comes', 300, -300],
  ['half a second before its start', 1_500, -500],
])('a claim is made %s, and leaves at its start', async (_when, earlyMs, madeAtMs) => {
  const { log, row, world } = await received(earlyMs);
  expect(log).toEqual([
    ['claim of 0', madeAtMs],
    ['request', 0],
  ]);
  expect(row).toMatchObject({ status: 'succeeded', startedAtMs: DUE_MS, latenessMs: 0, fence: 1 });
  expect(world.calls.map(({ atMs }) => atMs)).toEqual([DUE_MS]);
});

/** A process that sleeps longer than it asked, as one that was frozen. */
const oversleeping = (lateMs: number) => (world: PipelineWorld) => {
  const clock: Clock = {
    nowMs: () => world.clock.nowMs(),
    monotonicMs: () => world.clock.monotonicMs(),
    sleep: (ms, signal) => world.clock.sleep(ms + lateMs, signal),
  };
  return { clock };
};

test('a claim that would leave late is dropped, and made anew with its true time', async () => {
  const late = await received(300, oversleeping(700));
  expect(late.log).toEqual([
    ['claim of 0', -300],
    ['claim of 700', 700],
    ['request', 700],
  ]);
  expect(late.row).toMatchObject({ status: 'succeeded', latenessMs: 700, fence: 1 });
});

test('its row is late by 5 ms at the most, and does not say so', async () => {
  const { log, row } = await received(300, oversleeping(5));
  expect(log).toEqual([
    ['claim of 0', -300],
    ['request', 5],
  ]);
  expect(row).toMatchObject({ latenessMs: 0 });
});

test.each([
  ['an overlap policy', { overlap: 'skip' as const }],
  ['an ordering key', { orderingKey: 'invoices' }],
  ['a concurrency key', { concurrencyKey: 'tenant' }],
])('one with %s asks its gate at the start, so it is claimed then', async (_gate, gate) => {
  const { log } = await received(300, undefined, gate);
  expect(log.map(([, atMs]) => atMs)).toEqual([0, 0]);
});

test('of two executors with the same message one calls', async () => {
  let others = 0;
  const { world, log, row } = await received(300, (same) => {
    same.onExecutorCall = ({ input }) => void (isClaim(input) && (others += 1));
    same.on.executor = true;
    void same.queue.send([{ message: aMessage({ dueAtMs: DUE_MS }), delaySec: 0 }]);
    return {};
  });
  expect([log.filter(([what]) => what === 'request').length, others]).toEqual([2, 1]);
  expect([world.calls.length, row!.fence, row!.attempts.length]).toEqual([1, 1, 1]);
});

test('after a claim without an answer, its message is sent again', async () => {
  const { world, failedIds, row } = await received(300, (lossy) => {
    let lost = false;
    lossy.dynamo.faults.after = ({ input }) => {
      if (lost || !isClaim(input)) return;
      lost = true;
      throw new Error('no answer');
    };
    return {};
  });
  expect([failedIds, world.calls.length, row!.fence]).toEqual([[], 0, 1]);
  expect(world.queue.messages).toEqual([aMessage({ dueAtMs: DUE_MS, revision: row!.revision! })]);
});
