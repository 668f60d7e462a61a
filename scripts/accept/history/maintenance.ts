import { GetScheduleCommand } from '@aws-sdk/client-scheduler';

import type { Finding } from '../check';
import { createJobs } from '../jobs';
import type { AwsSite, Site } from '../site/site';
import { statusOf } from '../status';
import { until } from '../until';

/** Stages read the maintenance row this often; then nothing more starts. See docs/runbook.md. */
const NOTICED_WITHIN_MS = 15_000;
const CAUGHT_UP_WITHIN_MS = 2 * 60_000;

const tickState = async ({ clients: { scheduler }, env }: Site) =>
  (await scheduler.send(new GetScheduleCommand({ Name: env.TICK_SCHEDULE }))).State;

/** Calls an operator's route. A deployment that a check has stopped is started whatever happens. */
async function operate(site: Site, operation: 'stopDeployment' | 'startDeployment'): Promise<void> {
  const { status, body } = await site.api({ operation });
  if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
}

async function whileStopped<T>(site: Site, act: () => Promise<T>): Promise<T> {
  await operate(site, 'stopDeployment');
  try {
    return await act();
  } finally {
    await operate(site, 'startDeployment');
  }
}

export async function stopAndStart(site: Site): Promise<Finding> {
  const stopped = await whileStopped(site, async () => ({
    state: (await statusOf(site)).state,
    tick: await tickState(site),
  }));
  const started = { state: (await statusOf(site)).state, tick: await tickState(site) };
  const holds =
    stopped.state === 'stopped' &&
    stopped.tick === 'DISABLED' &&
    started.state === 'running' &&
    started.tick === 'ENABLED';
  const textOf = ({ state, tick }: { state: string; tick: string | undefined }) => `${state}, tick ${tick}`;
  return { holds, detail: `after the stop: ${textOf(stopped)}; after the start: ${textOf(started)}` };
}

/** A job that runs every few seconds is silent in maintenance mode, and goes on afterwards. */
export async function silence(site: AwsSite): Promise<Finding> {
  const { url, arrivals } = await site.receiver();
  const jobId = `accept-${site.run}-silence`;
  const definition = {
    schedule: { type: 'interval', every: '5s' },
    target: { type: 'http', url: `${url}/200` },
    misfire: { policy: 'fire-once' },
  };
  await createJobs(site, [{ jobId, definition }]);
  await until(
    site,
    () => arrivals(jobId),
    (all) => all.length > 0,
  );
  const during = await whileStopped(site, async () => {
    await site.sleep(NOTICED_WITHIN_MS);
    const before = (await arrivals(jobId)).length;
    await site.sleep(site.sizes.silenceMs);
    return (await arrivals(jobId)).length - before;
  });
  const startedMs = site.nowMs();
  const isBack = await until(
    site,
    async () => (await arrivals(jobId)).some(({ atMs }) => atMs > startedMs),
    Boolean,
    CAUGHT_UP_WITHIN_MS,
  );
  const detail = `${during} calls in ${site.sizes.silenceMs / 1_000} s; ${isBack ? 'goes on' : 'silent'} after the start`;
  return { holds: during === 0 && isBack, detail };
}
