import { execIdOfOccurrence } from '../../../../lambdas/core/contracts/tables';
import { anExecution } from '../../../support/factories';
import { type Answered, ApiWorld } from '../world';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const daily = { type: 'cron', expression: '30 9 * * MON-FRI', timezone: 'Europe/Berlin' };
export const everyMinute = { type: 'cron', expression: '* * * * *' };

/** Asks why job `a` ran or did not run. */
export const explain = (world: ApiWorld, at: string | number): Promise<Answered> =>
  world.call('GET /v1/jobs/{jobId}/explain', { jobId: 'a' }, undefined, {
    query: `at=${typeof at === 'number' ? new Date(at).toISOString() : at}`,
  });
export const codes = ({ body }: Answered): string[] =>
  body.steps.map(({ code, holds }: { code: string; holds: boolean | null }) => `${code} ${holds}`);
export const textOf = ({ body }: Answered, code: string): string =>
  body.steps.find((step: { code: string }) => step.code === code)?.text;

/** A world with job `a`, a second after it was created. */
export async function worldWith(schedule: object, more: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  await world.create({ jobId: 'a', schedule, ...more });
  await world.clock.advance(1_000);
  return world;
}

/** A world with job `a`, which takes slots of a concurrency key. The key is defined first. */
export async function worldWithKey(
  key: string,
  definition: object,
  ofJob: object = { concurrencyKey: key },
): Promise<ApiWorld> {
  const world = await worldWith(daily);
  await world.call('PUT /v1/concurrency-keys/{key}', { key }, definition);
  await world.patch('a', ofJob);
  return world;
}

/** The message of an occurrence of job `a`. */
export const messageOf = (world: ApiWorld, execId: string, dueAtMs: number) =>
  ({
    v: 1,
    jobKey: world.jobKey('a'),
    execId,
    dueAtMs,
    startAtMs: dueAtMs,
    attempt: 1,
    trigger: 'schedule',
    revision: '',
    priority: 'medium',
    pool: 'default',
  }) as const;

/** Writes a row without a claim. */
export const putRow = (world: ApiWorld, dueAtMs: number, row: Partial<ReturnType<typeof anExecution>>) =>
  world.deps.ends.putEnded(
    anExecution({
      jobKey: world.jobKey('a'),
      execId: execIdOfOccurrence(dueAtMs),
      dueAtMs,
      attempts: [],
      fence: 0,
      startedAtMs: undefined,
      latenessMs: undefined,
      finishedAtMs: dueAtMs,
      ...row,
    }),
  );
