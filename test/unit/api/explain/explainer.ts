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
