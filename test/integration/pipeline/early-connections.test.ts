import { Metric } from '../../../lambdas/core/contracts/metrics';
import { lazy } from '../../../lambdas/core/async/cached';
import { SECOND_MS } from '../../../lambdas/core/clock/clock';
import { signingSecrets } from '../../../lambdas/core/delivery/signing/signing-secrets';
import { NEVER_ROTATED } from '../../../lambdas/core/domain/secret-versions';
import type { ExecutorDeps } from '../../../lambdas/executor/deps';
import type { PipelineWorld } from '../../support/pipeline-world';
import { worldBefore } from '../../support/waiting-message';

const ORIGIN = 'https://example.com';

/**
 * What an executor does that receives the message of one job so long before its time. `change` comes while it
 * waits.
 */
async function received(
  earlyMs: number,
  change: (world: PipelineWorld) => Promise<unknown> = async () => null,
  own: (world: PipelineWorld) => Partial<ExecutorDeps> = () => ({}),
) {
  const { world, log, note, execute } = await worldBefore(earlyMs);
  world.behaviour = (_, __, clock) => {
    note('call');
    return { outcome: 'succeeded', statusCode: 200, sentAtMs: clock.nowMs() + 3 };
  };
  const connectEarly = (userId: string, origin: string) => {
    note(`connect ${userId} ${origin}`);
    return () => note('close');
  };
  const { executing } = execute({ ...world.deps, ...own(world), connectEarly }, { origin: ORIGIN });
  await world.clock.flush();
  await change(world);
  await world.run(Math.max(earlyMs, 0) + 30 * SECOND_MS);
  await executing;
  return { world, log };
}

test.each([
  ['at once', 300, -300],
  ['half a second before the start', 1_500, -500],
])('an executor connects %s if it has %i ms', async (_when, earlyMs, atMs) => {
  const { log } = await received(earlyMs);
  expect(log).toEqual([
    [`connect alice ${ORIGIN}`, atMs],
    ['call', 0],
    ['close', 0],
  ]);
});

test('one that comes at its time, or late, connects with its call alone', async () => {
  for (const earlyMs of [0, -100]) {
    const { log } = await received(earlyMs);
    expect(log.map(([what]) => what)).toEqual(['call']);
  }
});

const REF = { userId: 'alice', jobId: 'nightly-report' };

test.each<[string, (world: PipelineWorld) => Promise<unknown>]>([
  ['deleted', ({ deps }) => deps.jobs.remove(REF)],
  ['paused', (world) => world.api('pauseJob', { jobId: REF.jobId })],
])('what is not called is closed: its job is %s while the message waits', async (_what, change) => {
  const { log } = await received(300, change);
  expect(log.map(([what]) => what)).toEqual([`connect alice ${ORIGIN}`, 'close']);
});

const READ_MS = 160;

/** What signs is read once, and that takes a while. */
const slowSecret = ({ clock }: PipelineWorld) => ({
  signingSecrets: signingSecrets({
    users: { secretVersions: async () => NEVER_ROTATED },
    secret: {
      get: lazy(async () => {
        await clock.sleep(READ_MS);
        return Buffer.alloc(32);
      }),
    },
    clock,
    legacy: false,
  }),
});

test.each([
  [300, 0],
  [100, READ_MS - 100],
  [0, READ_MS],
])(
  'what signs a call is read while its message waits for %i ms: the call comes %i ms late',
  async (earlyMs, lateMs) => {
    const { log } = await received(earlyMs, undefined, slowSecret);
    expect(log.find(([what]) => what === 'call')).toEqual(['call', lateMs]);
  },
);

test('if what signs a call cannot be read in advance, the call reads it', async () => {
  let reads = 0;
  const { log } = await received(300, undefined, ({ deps }) => ({
    async signingSecrets(...of) {
      if (++reads === 1) throw new Error('no answer');
      return deps.signingSecrets(...of);
    },
  }));
  expect([reads, log.map(([what]) => what)]).toEqual([2, [`connect alice ${ORIGIN}`, 'call', 'close']]);
});

test('the metric says when the first request left, of planned executions', async () => {
  const { world } = await received(300);
  expect(world.meter.values(Metric.requestLatenessMs)).toEqual([3]);
});
