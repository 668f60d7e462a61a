import type { FakeRandom } from '../../support/fake-random';
import type { Stage } from '../faults';
import type { RunPlan } from '../run-plan';
import type { ClientAction } from '../workload';
import type { WriteKill, WriteKind } from '../write-kills';
import { MINUTE_MS, profileOf, withActions } from './draws';

/** Above those of all other draws. */
const FIRST_ID = 20_000;
const EVENTS = 40;
const KILLS = 40;
const EVENT_NAMES = ['paid', 'refunded'];

const WRITES: readonly (readonly [Stage, readonly WriteKind[]])[] = [
  ['api', ['entry', 'row', 'message', 'job']],
  ['executor', ['row', 'row', 'entry', 'message']],
  ['sweeper', ['entry', 'row', 'message', 'cursor']],
];
const PAIRS: readonly (readonly [Stage, readonly [WriteKind, WriteKind]])[] = [
  ['api', ['entry', 'row']],
  ['api', ['row', 'message']],
  ['executor', ['row', 'entry']],
  ['executor', ['row', 'message']],
  ['sweeper', ['row', 'message']],
];

/** Usual jobs of alice, jobs that wait for them and for each other, and jobs that wait for events. */
function waiters(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const upstream = plan.actions.filter(({ action, userId }) => action === 'create' && userId === 'alice');
  const ids = [...new Set(upstream.map(({ jobId }) => jobId))];
  const on = () => random.pick(['succeeded', 'failed', 'done', 'done']);
  const after = ids.flatMap((jobId) => [
    { jobId: `after-${jobId}`, schedule: { type: 'after', jobs: [jobId], on: on() } },
    {
      jobId: `next-${jobId}`,
      schedule: { type: 'after', jobs: [`after-${jobId}`, random.pick(ids)], on: on() },
    },
  ]);
  const events = EVENT_NAMES.flatMap((name) =>
    [1, 2].map((count) => ({ jobId: `${name}-${count}`, schedule: { type: 'event', name } })),
  );
  const body = upstream[0]!.body!;
  // Created early, and again where that came too early or got no answer.
  return [...events, ...after].flatMap(({ jobId, schedule }, index) =>
    [100_000, 150_000].map((atMs, again) => {
      const id = FIRST_ID + 2 * index + again;
      const payload = { userId: 'alice', jobId, stamp: `s${id}` };
      const job = { ...body, overlap: 'allow', orderingKey: null, onFailure: 'continue' };
      return {
        id,
        atMs: atMs + index,
        action: 'put' as const,
        userId: 'alice',
        jobId,
        body: { ...job, jobId, schedule, payload },
      };
    }),
  );
}

function events(random: FakeRandom, plan: RunPlan): ClientAction[] {
  return Array.from({ length: EVENTS }, (_, index) => {
    const name = random.pick(EVENT_NAMES);
    const id = `event-${index}`;
    return {
      id: 2 * FIRST_ID + index,
      atMs: random.between(MINUTE_MS, plan.quietFromMs),
      action: 'event' as const,
      userId: 'alice',
      jobId: name,
      body: { name, id },
      // The client repeats it until it knows the outcome.
      idempotencyKey: id,
    };
  });
}

function killAtWrite(random: FakeRandom, id: number, untilMs: number): WriteKill {
  const [stage, writes] = random.pick(WRITES);
  return {
    id,
    kind: 'kill-at-write',
    fromMs: random.between(MINUTE_MS, untilMs),
    stage,
    write: random.pick(writes),
    nth: random.between(1, 3),
    side: random.pick(['before', 'after']),
  };
}

/**
 * Jobs start each other, and events start jobs, while nodes die at their writes. Each cause starts each job
 * that waits for it exactly once. Without an auditor, which would repair what the other stages leave.
 */
export const causes = profileOf(({ random, plan, window, actions }) => ({
  withoutAuditor: true,
  faults: [
    window('target-fails', 0.2),
    window('queue-lost', 0.1),
    window('queue-duplicated', 0.2),
    ...Array.from({ length: KILLS }, (_, index) => killAtWrite(random, 1_000 + index, plan.healMs)),
    ...PAIRS.map(([stage, writes], index) => ({
      id: 2_000 + index,
      kind: 'kill-between' as const,
      fromMs: random.between(2 * MINUTE_MS, plan.healMs),
      stage,
      writes,
    })),
  ],
  actions: withActions(plan, [
    ...waiters(random, plan),
    ...events(random, plan),
    ...actions(['run', 'run', 'retry', 'pause', 'resume'], 30),
  ]),
}));
