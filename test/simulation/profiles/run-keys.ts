import type { FakeRandom } from '../../support/fake-random';
import type { RunPlan } from '../run-plan';
import type { Action, ClientAction } from '../workload';
import { MINUTE_MS, profileOf, withActions } from './draws';
import { killAtWrite } from './write-kills';

/** Above those of all other draws. */
const FIRST_ID = 30_000;
const USER = 'alice';
const LASTS_MS = 6 * MINUTE_MS;
const JOBS = ['remind-1', 'remind-2', 'remind-3', 'remind-4'];
const KEYS = ['k1', 'k2'];
const REQUESTS = 220;
const KILLS = 40;
const WRITES: Parameters<typeof killAtWrite>[3] = [
  ['api', ['row', 'row', 'row', 'entry', 'message', 'job']],
  ['executor', ['row', 'row', 'entry', 'message', 'ticket', 'lock']],
  ['sweeper', ['row', 'entry', 'message', 'cursor']],
];
const SHORT_FREEZES_MS = [1_000, 4_000, 12_000, 25_000];
/** Minutes after the last draw at which users resume all jobs: nothing stays held. */
const CLOSING_MIN = [0.5, 2, 5];

/** What users ask, each as likely as others, except where one undoes another. */
const ASKED: readonly Action[] = [
  ...Array.from({ length: 14 }, () => 'run' as const),
  ...Array.from({ length: 4 }, () => 'cancel-key' as const),
  ...Array.from({ length: 3 }, () => 'resume' as const),
  'pause',
  'pause',
  'retry',
  'retry',
  'cancel',
  'patch',
  'delete',
  'put',
];

const ofJob = (random: FakeRandom, jobId: string) => ({
  schedule: { type: 'none' },
  target: { type: 'http', url: 'https://example.com/hook', timeout: '30s' },
  retry: { maxAttempts: random.between(1, 3), initialDelay: '1s', maxDelay: '5s' },
  overlap: jobId === 'remind-3' ? 'queue' : 'allow',
  orderingKey: jobId < 'remind-3' ? random.pick([null, 'customer']) : null,
});

function drawRun(random: FakeRandom): Record<string, unknown> {
  const isNow = random.fraction() < 0.2;
  const isKeyed = random.fraction() < 0.85;
  return {
    ...(!isNow && { delay: random.pick(['1s', '3s', '10s', '30s', '1m', '2m']) }),
    ...(isKeyed && {
      key: random.pick(KEYS),
      onExisting: random.pick(['keep', 'replace', 'replace']),
      ...(random.fraction() < 0.2 && { keyTtl: random.pick(['5s', '1m']) }),
    }),
    ...(random.fraction() < 0.2 && { priority: random.pick(['high', 'low']) }),
  };
}

function drawActions(random: FakeRandom, plan: RunPlan): ClientAction[] {
  const definitions = new Map(JOBS.map((jobId) => [jobId, ofJob(random, jobId)]));
  const definitionOf = (jobId: string, id: number) => ({
    ...definitions.get(jobId)!,
    payload: { userId: USER, jobId, stamp: `s${id}` },
  });
  const saved = JOBS.flatMap((jobId, index) =>
    [20_000, 40_000].map((atMs, again): ClientAction => {
      const id = FIRST_ID + 2 * index + again;
      return { id, atMs, action: 'put', userId: USER, jobId, body: definitionOf(jobId, id) };
    }),
  );
  const asked = Array.from({ length: REQUESTS }, (_, request): ClientAction => {
    const id = 2 * FIRST_ID + request;
    const action = random.pick(ASKED);
    const jobId = random.pick(JOBS);
    const payload = { userId: USER, jobId, stamp: `s${id}` };
    const bodies: Partial<Record<Action, Record<string, unknown>>> = {
      run: { ...drawRun(random), payload },
      put: definitionOf(jobId, id),
      patch: { payload },
      'cancel-key': { key: random.pick(KEYS) },
    };
    const body = bodies[action];
    const isRepeated = action === 'run' && random.fraction() < 0.4;
    return {
      id,
      atMs: random.between(MINUTE_MS, plan.quietFromMs),
      action,
      userId: USER,
      jobId,
      ...(body && { body }),
      ...(isRepeated && { idempotencyKey: `once-${id}` }),
    };
  });
  const resumed = CLOSING_MIN.flatMap((minutes, time) =>
    JOBS.map((jobId, index): ClientAction => {
      const id = 3 * FIRST_ID + JOBS.length * time + index;
      const atMs = plan.quietFromMs + minutes * MINUTE_MS + index * 1_000;
      return { id, atMs, action: 'resume', userId: USER, jobId };
    }),
  );
  return [...saved, ...asked, ...resumed];
}

/**
 * Runs under keys are asked for, replaced, cancelled and retried while they fall due. Their jobs are paused,
 * resumed, deleted and created again. Nodes die at their writes, and freeze between what they have read and
 * what they write. Without an auditor.
 */
export const runKeys = profileOf(
  ({ random, plan, window, kills }) => ({
    withoutAuditor: true,
    faults: [
      window('target-fails', 0.2),
      window('target-slow', 0.15),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.2),
      window('queue-delayed', 0.1),
      window('store-answer-lost', 0.05),
      window('store-slow', 0.2, { stage: 'api' }),
      window('store-slow', 0.2, { stage: 'executor', table: 'executions' }),
      ...Array.from({ length: KILLS }, (_, index) => killAtWrite(random, 1_000 + index, plan.healMs, WRITES)),
      ...Array.from({ length: 24 }, (_, index) => ({
        id: 2_000 + index,
        kind: 'freeze' as const,
        fromMs: random.between(MINUTE_MS, plan.healMs),
        stage: random.pick(['api', 'api', 'executor', 'sweeper'] as const),
        afterAwaits: random.between(1, 12),
        forMs: random.pick(SHORT_FREEZES_MS),
        to: 0,
      })),
      ...kills(6, 'executor', 12),
    ],
    actions: withActions({ ...plan, actions: [] }, drawActions(random, plan)),
  }),
  { lastsMs: LASTS_MS },
);
