import type { Site } from '../site/site';
import { createJobs, inTime, type NewJob, once } from '../jobs';

/** A load that was made, and what is to arrive. */
export interface Made {
  /** The ids of its jobs begin so. */
  prefix: string;
  jobs: readonly NewJob[];
  /** Due times by jobId, in milliseconds. */
  due: ReadonlyMap<string, readonly number[]>;
  expected: number;
  /** The last due time. */
  untilMs: number;
}

/** The share of one project in a second: above its rate limit, executions go to the overflow queue. */
const JOBS_OF_ONE_PROJECT = 50;
/** Long enough to create this many jobs before the first is due. */
const CREATED_PER_SEC = 100;
const SECOND_MS = 1_000;

/** One-time jobs at instants that are spread evenly, the fractions of a second too. */
export async function spread(site: Site, name = 'spread'): Promise<Made> {
  const { jobs, aheadMs, overMs } = site.sizes.spread;
  const timesFrom = (firstMs: number) =>
    Array.from({ length: jobs }, (_, index) => firstMs + Math.floor((index * overMs) / jobs));
  return inTime(site, aheadMs, (firstMs, tryNumber) =>
    oneTime(site, `${name}-${tryNumber}`, timesFrom(firstMs)),
  );
}

/** One-time jobs that are all due at one instant. */
export async function burst(site: Site, jobs: number, name = ''): Promise<Made> {
  // In AWS, jobs far enough ahead come from the scanner, as those of users do.
  const leastMs = site.kind === 'aws' ? site.sizes.spread.aheadMs : 0;
  const aheadMs = Math.max(leastMs, 2 * SECOND_MS + (jobs / CREATED_PER_SEC) * SECOND_MS);
  return inTime(site, aheadMs, (atMs, tryNumber) =>
    oneTime(
      site,
      `${name}burst${jobs}-${tryNumber}`,
      Array.from({ length: jobs }, () => atMs),
    ),
  );
}

/** Jobs so far apart that the functions are cold again. */
export async function lone(site: Site): Promise<Made> {
  const { jobs, apartMs } = site.sizes.lone;
  const startMs = site.nowMs();
  return oneTime(
    site,
    'lone',
    Array.from({ length: jobs }, (_, index) => startMs + (index + 1) * apartMs),
  );
}

async function oneTime(site: Site, name: string, times: readonly number[]): Promise<Made> {
  const { url } = await site.receiver();
  const prefix = `accept-${site.run}-${name}-`;
  const jobs = times.map((atMs, index) => ({
    jobId: prefix + index,
    project: Math.floor(index / JOBS_OF_ONE_PROJECT),
    definition: once(atMs, `${url}/200`),
  }));
  await createJobs(site, jobs);
  return {
    ...{ prefix, jobs, expected: times.length, untilMs: Math.max(...times) },
    due: new Map(jobs.map(({ jobId }, index) => [jobId, [times[index]!]])),
  };
}

/** Jobs with an interval that begins and ends at known instants. */
export const intervals = (site: Site): Promise<Made> =>
  inTime(site, 4 * SECOND_MS, (startMs, tryNumber) => intervalsFrom(site, startMs, tryNumber));

async function intervalsFrom(site: Site, startMs: number, tryNumber: number): Promise<Made> {
  const { jobs: count, everyMs, overMs } = site.sizes.intervals;
  const { url } = await site.receiver();
  const prefix = `accept-${site.run}-every-${tryNumber}-`;
  const times = Array.from({ length: overMs / everyMs }, (_, index) => startMs + index * everyMs);
  const untilMs = times.at(-1)!;
  const schedule = {
    ...{ type: 'interval', every: `${everyMs / SECOND_MS}s`, anchor: new Date(startMs).toISOString() },
    startAt: new Date(startMs).toISOString(),
    endAt: new Date(untilMs + everyMs / 2).toISOString(),
  };
  const definition = { schedule, target: { type: 'http', url: `${url}/200` } };
  const jobs = Array.from({ length: count }, (_, index) => ({
    jobId: prefix + index,
    project: Math.floor(index / JOBS_OF_ONE_PROJECT),
    definition,
  }));
  await createJobs(site, jobs);
  return {
    ...{ prefix, jobs, untilMs, expected: count * times.length },
    due: new Map(jobs.map(({ jobId }) => [jobId, times])),
  };
}
