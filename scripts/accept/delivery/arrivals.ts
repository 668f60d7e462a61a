import { executionsOf } from '../jobs';
import type { Site } from '../site/site';
import type { Arrival } from '../receiver/receiver';
import { percentileOf } from '../substrate/histogram';
import { until } from '../until';
import type { Made } from './loads';

/** How far the clocks of the executor and of the receiver may differ. */
const CLOCK_MS = 50;

/** An occurrence, by job and due time. */
const keyOf = (jobId: string, dueAtMs: number): string => `${jobId} ${dueAtMs}`;

/** Waits until everything has arrived, or patience is at its end; returns what has. */
export async function arrivedAll(site: Site, { prefix, expected, untilMs }: Made): Promise<Arrival[]> {
  const { arrivals } = await site.receiver();
  await site.sleep(Math.max(0, untilMs - site.nowMs()));
  const count = (all: readonly Arrival[]) =>
    new Set(all.map(({ jobId, dueAtMs }) => keyOf(jobId, dueAtMs))).size;
  return until(
    site,
    () => arrivals(prefix),
    (all) => count(all) >= expected,
  );
}

/** What is wrong with arrivals, one sentence each. `twice`: arrivals after the first of an occurrence. */
export function problemsOf(
  { due }: Pick<Made, 'due'>,
  arrived: readonly Arrival[],
): { lost: string[]; early: string[]; twice: Arrival[] } {
  const seen = new Set<string>();
  const twice = arrived.filter(({ jobId, dueAtMs }) => {
    const key = keyOf(jobId, dueAtMs);
    const isRepeated = seen.has(key);
    seen.add(key);
    return isRepeated;
  });
  const lost = [...due].flatMap(([jobId, times]) =>
    times
      .filter((dueAtMs) => !seen.has(keyOf(jobId, dueAtMs)))
      .map((dueAtMs) => `${jobId} of ${new Date(dueAtMs).toISOString()} has not arrived`),
  );
  const early = arrived
    .filter(({ atMs, dueAtMs }) => atMs < dueAtMs - CLOCK_MS)
    .map(({ jobId, atMs, dueAtMs }) => `${jobId} arrived ${dueAtMs - atMs} ms early`);
  return { lost, early, twice };
}

/** Repeated arrivals that the history has no attempt for. A second attempt has its cause on record. */
export async function withoutCause(
  site: Site,
  { jobs }: Pick<Made, 'jobs'>,
  twice: readonly Arrival[],
): Promise<string[]> {
  const projects = new Map(jobs.map(({ jobId, project }) => [jobId, project]));
  const problems: string[] = [];
  for (const { jobId, execId } of twice) {
    const executions = await executionsOf(site, jobId, projects.get(jobId));
    const attempts = executions.find((one) => one.execId === execId)?.attempts.length ?? 0;
    if (attempts < 2) problems.push(`${jobId} arrived twice, and its history has ${attempts} attempts`);
  }
  return problems;
}

/** In milliseconds, of the first attempts. */
export function latenessOf(arrived: readonly Arrival[]): { p50: number; p99: number; max: number } {
  const lateMs = arrived.filter(({ attempt }) => attempt === 1).map(({ atMs, dueAtMs }) => atMs - dueAtMs);
  return { p50: percentileOf(lateMs, 0.5), p99: percentileOf(lateMs, 0.99), max: percentileOf(lateMs, 1) };
}
