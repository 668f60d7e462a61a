import { isExternal } from '../../../lambdas/core/schedule/spec';
import type { Job } from '../../../lambdas/core/domain/job';
import { monitorTargetOf } from '../../../lambdas/core/domain/entry-planning';
import type { ProjectKeyRecord } from '../pinged';
import { groupBy, type Request, type Story, userOf } from '../story';
import { broken, clockTime, type Violation } from '../violation';

/** The key of a project for pings, from then on. */
interface KeyState {
  t: number;
  key: ProjectKeyRecord['key'];
}

/** A monitor that the key of a project has made. */
interface Made {
  jobKey: string;
  job: Job;
  t: number;
  /** The requests to the API that may have made it. */
  requests: readonly Request[];
}

/**
 * What is promised of monitors that pings make. Each was asked for while the key allowed it. It is
 * charged to the project, and counted by the key. It has to succeed every so often.
 */
export function checkMadeMonitors(story: Story): Violation[] {
  if (story.conditions.wildClocks || story.restored) return [];
  const keys = keysIn(story);
  const made = groupBy([...madeIn(story)], ({ jobKey }) => userOf(jobKey));
  return [...made].flatMap(([project, ofProject]) => [
    ...ofProject.flatMap((one) => [...checkMade(one, keys.get(project) ?? [], story)]),
    ...uncounted(project, ofProject, keys.get(project) ?? []),
  ]);
}

/** The keys of projects, in the order of the table. */
export function keysIn({ records }: Story): Map<string, KeyState[]> {
  const states = records.flatMap((record) =>
    record.src === 'table' && record.type === 'project-key' ? [record] : [],
  );
  return groupBy(states, ({ project }) => project);
}

/** Whether a key was so at some moment of a period. */
export const wasKey = (
  keys: readonly KeyState[],
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
  is: (key: NonNullable<KeyState['key']>) => boolean,
): boolean =>
  keys.some(({ t, key }, at) => key && t <= untilMs && (keys[at + 1]?.t ?? Infinity) >= fromMs && is(key));

function* madeIn(story: Story): Generator<Made> {
  for (const [jobKey, versions] of story.versions)
    for (const [at, { job, fromMs: t }] of versions.entries()) {
      if (!job?.by?.via.startsWith('key:') || versions[at - 1]?.job) continue;
      const requests = story.requests.filter(
        (one) =>
          one.operation === 'provisionMonitor' &&
          one.jobKey === jobKey &&
          one.fromMs <= t &&
          // Without an answer, it may be carried out later.
          (one.type === 'info' || one.untilMs >= t),
      );
      yield { jobKey, job, t, requests };
    }
}

function* checkMade(
  { jobKey, job, t, requests }: Made,
  keys: readonly KeyState[],
  { records }: Story,
): Generator<Violation> {
  const what = `${jobKey}, made at ${clockTime(t)},`;
  const [first] = requests;
  if (!first) return yield broken('ghost', `${what} was not asked for`);
  const asked = { fromMs: first.fromMs, untilMs: t };
  if (!wasKey(keys, asked, ({ allowCreate }) => allowCreate))
    yield broken('ghost', `${what} was not allowed by the key of its project`);
  const isCharged = records.some(
    (one) =>
      one.src === 'quota' &&
      one.project === userOf(jobKey) &&
      one.t >= asked.fromMs &&
      one.t <= asked.untilMs,
  );
  if (!isCharged) yield broken('quota', `${what} is not charged to its project`);
  const isExpected =
    monitorTargetOf(job) &&
    isExternal(job.schedule) &&
    job.status === 'active' &&
    job.expectEvery !== undefined &&
    job.expectSinceMs !== undefined;
  if (!isExpected) yield broken('reason', `${what} has no time by which it is to succeed`);
}

/** The key counts what it makes from when it was allowed to. What it began before is not counted since. */
function* uncounted(project: string, made: readonly Made[], keys: readonly KeyState[]): Generator<Violation> {
  const last = keys.at(-1)?.key;
  if (!last) return;
  const since = keys.findLast(
    ({ key }, at) => key?.allowCreate !== keys[at - 1]?.key?.allowCreate || !keys[at - 1]?.key,
  )!;
  const count = made.filter(({ requests }) => requests[0] && requests[0].fromMs > since.t).length;
  if (last.made < count)
    yield broken('quota', `the key of ${project} has made ${count} monitors, and counts ${last.made}`);
}
