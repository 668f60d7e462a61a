import { isDeepStrictEqual } from 'node:util';

import { MAX_AFTER_DEPTH } from '../../core/contracts/loop-guard';
import { jobKeyOf } from '../../core/contracts/tables';
import { isAfter } from '../../core/domain/cause';
import type { Job } from '../../core/domain/job';
import { causesNamedBy } from '../../core/domain/uses';
import { findJobs } from '../../core/store/read-whole';
import { MAX_CHILD_DEPTH } from '../../core/domain/workflow/children';
import { circleOfWaits, textOfCircle } from '../../core/domain/workflow/waits-below';
import { invalidField, type FieldError, invalid } from '../http/problem';
import type { ApiDeps } from '../request';

/** Jobs that may wait for one event, or for one job. */
const MAX_WAITERS = 100;
/** Jobs that may come before one job. */
const MAX_UPSTREAM = 100;

/** Jobs of one project by their ids; those that do not exist are absent. */
type ReadJobs = (jobIds: readonly string[]) => Promise<ReadonlyMap<string, Job>>;

/** Reads a project's jobs, consistently. `changed` has those that a dry run has changed. */
export const jobsOf =
  (userId: string, deps: Pick<ApiDeps, 'jobs'>, changed?: ReadonlyMap<string, Job>): ReadJobs =>
  async (jobIds) => {
    const keys = jobIds.filter((jobId) => !changed?.has(jobId)).map((jobId) => jobKeyOf({ userId, jobId }));
    const { jobs } = await findJobs(keys, deps);
    const found = [...jobs.values(), ...(changed?.values() ?? [])];
    return new Map(found.map((job) => [job.jobId, job]));
  };

/** Checks the other jobs that a job names. Throws `ProblemError` 400. */
export async function checkReferences(
  current: Job | undefined,
  job: Job,
  read: ReadJobs,
  deps: Pick<ApiDeps, 'uses'>,
): Promise<void> {
  await checkCauses(current, job, read, deps);
  await checkChildren(current, job, read);
  await checkNeeds(current, job, read);
}

/**
 * Checks what a job waits for, if it did not wait for the same before. Throws `ProblemError` 400 in these
 * cases:
 *
 * - an upstream job does not exist;
 * - the jobs would start each other in a circle, or too many of them in a row;
 * - too many jobs wait for the same.
 *
 * Two saves at once may close a circle that neither of them sees. The bound on the delivery depth ends its
 * runs.
 */
async function checkCauses(
  current: Job | undefined,
  job: Job,
  read: ReadJobs,
  deps: Pick<ApiDeps, 'uses'>,
): Promise<void> {
  if (causesNamedBy(job).length === 0) return;
  if (current && isDeepStrictEqual(current.schedule, job.schedule)) return;
  if (isAfter(job.schedule)) await checkUpstream(job, job.schedule.jobs, read);
  for (const [index, { kind, name }] of causesNamedBy(job).entries()) {
    const uses = await deps.uses.list(job.userId, kind, name, { limit: MAX_WAITERS + 1 });
    if (uses.filter(({ jobId }) => jobId !== job.jobId).length < MAX_WAITERS) continue;
    const path = kind === 'job' ? `schedule.jobs.${index}` : 'schedule.name';
    throw invalidField(
      path,
      `${MAX_WAITERS} jobs wait for ${JSON.stringify(name)} already: the most allowed`,
    );
  }
}

/** Walks up, level by level: the jobs that it waits for, those that these wait for, and so on. */
async function checkUpstream(job: Job, named: readonly string[], read: ReadJobs): Promise<void> {
  const known = new Map<string, Job>([[job.jobId, job]]);
  /** For each job, the one below it by which it was found first. */
  const below = new Map<string, string>();
  for (const jobId of named) below.set(jobId, job.jobId);
  let level = [...named];
  for (let depth = 1; level.length > 0; depth++) {
    if (level.includes(job.jobId)) throw circle(job.jobId, named, below);
    if (depth > MAX_AFTER_DEPTH)
      throw tooLong(`more than ${MAX_AFTER_DEPTH} jobs before it would start each other`);
    const unread = level.filter((jobId) => !known.has(jobId));
    if (known.size + unread.length > MAX_UPSTREAM + 1)
      throw tooLong(`more than ${MAX_UPSTREAM} jobs lead to it`);
    const found = await read(unread);
    for (const jobId of unread) if (found.has(jobId)) known.set(jobId, found.get(jobId)!);
    const missing = depth === 1 ? named.findIndex((jobId) => !known.has(jobId)) : -1;
    if (missing >= 0)
      throw invalidField(
        `schedule.jobs.${missing}`,
        `${JSON.stringify(named[missing])} is no job of this project; create it first`,
      );
    level = nextLevel(level, known, below);
  }
}

const tooLong = (why: string) => invalidField('schedule.jobs', `lead back too far: ${why}`);

function nextLevel(
  level: readonly string[],
  known: ReadonlyMap<string, Job>,
  below: Map<string, string>,
): string[] {
  const next = new Set<string>();
  for (const jobId of level) {
    const schedule = known.get(jobId)?.schedule;
    for (const upstream of schedule && isAfter(schedule) ? schedule.jobs : []) {
      next.add(upstream);
      if (!below.has(upstream)) below.set(upstream, jobId);
    }
  }
  return [...next];
}

/** Names the circle in the order in which the jobs would start each other. */
function circle(jobId: string, named: readonly string[], below: ReadonlyMap<string, string>) {
  const path = [jobId];
  for (
    let next = below.get(jobId);
    next !== undefined && path.length <= MAX_AFTER_DEPTH + 1;
    next = below.get(next)
  ) {
    path.push(next);
    if (next === jobId) break;
  }
  const first = path.at(-2) ?? jobId;
  return invalidField(
    `schedule.jobs.${Math.max(0, named.indexOf(first))}`,
    `closes a circle: ${path.join(' → ')}`,
  );
}

/** Jobs that may lie below one job. */
const MAX_BELOW = 200;

/**
 * Checks the jobs that the tasks of a workflow start, if neither it nor the job's concurrency key is that of
 * before. Throws `ProblemError` 400 in these cases:
 *
 * - such a job does not exist, or takes no such input;
 * - the jobs would start each other in a circle, or too deep;
 * - their executions could wait for each other in a circle.
 *
 * Two saves at once may close a circle that neither of them sees, and so may a later save of a job below. The
 * start of a child checks it again.
 */
async function checkChildren(current: Job | undefined, job: Job, read: ReadJobs): Promise<void> {
  const { workflow } = job;
  if (!workflow?.jobs || isAsBefore(current, job)) return;
  const known = new Map<string, Job>([[job.jobId, job]]);
  let paths = workflow.jobs.map((jobId) => [job.jobId, jobId]);
  for (let depth = 1; paths.length > 0; depth++) {
    const circle = paths.find((path) => path.at(-1) === job.jobId);
    if (circle) throw at(job, circle[1]!, `closes a circle: ${circle.join(' → ')}`);
    if (depth > MAX_CHILD_DEPTH)
      throw at(job, paths[0]![1]!, `goes deeper than ${MAX_CHILD_DEPTH} jobs: ${paths[0]!.join(' → ')}`);
    const unread = [...new Set(paths.map((path) => path.at(-1)!))].filter((jobId) => !known.has(jobId));
    if (known.size + unread.length > MAX_BELOW + 1)
      throw at(job, paths[0]![1]!, `leads too far: more than ${MAX_BELOW} jobs lie below this one`);
    for (const [jobId, found] of await read(unread)) known.set(jobId, found);
    if (depth === 1) checkInputs(job, known);
    paths = longerPaths(paths, known, 'jobs');
  }
  const found = circleOfWaits(job, known);
  if (found) throw at(job, found.path[1]!, textOfCircle(found));
}

const isAsBefore = (current: Job | undefined, { workflow, concurrencyKey }: Job): boolean =>
  workflow?.version === current?.workflow?.version && concurrencyKey === current?.concurrencyKey;

/** One path to each job of the next level: enough to find a circle, and to name it. */
function longerPaths(
  paths: readonly string[][],
  known: ReadonlyMap<string, Job>,
  by: 'jobs' | 'needs',
): string[][] {
  const next = new Map<string, string[]>();
  for (const path of paths)
    for (const jobId of known.get(path.at(-1)!)?.workflow?.[by] ?? [])
      if (!next.has(jobId)) next.set(jobId, [...path, jobId]);
  return [...next.values()];
}

/**
 * Checks that the runs of a job do not need each other in a circle: none of them could ever succeed
 * (docs/adr/0037). Throws `ProblemError` 400. Jobs beyond the bound are not read: a limit of time ends what
 * waits.
 */
async function checkNeeds(current: Job | undefined, job: Job, read: ReadJobs): Promise<void> {
  const { workflow } = job;
  if (!workflow?.needs || workflow.version === current?.workflow?.version) return;
  const known = new Map<string, Job>();
  let paths = workflow.needs.map((jobId) => [job.jobId, jobId]);
  while (paths.length > 0 && known.size <= MAX_BELOW) {
    const circle = paths.find((path) => path.at(-1) === job.jobId);
    if (circle) throw at(job, circle[1]!, textOfNeeds(circle));
    const found = await read(paths.map((path) => path.at(-1)!));
    for (const [jobId, one] of found) known.set(jobId, one);
    paths = longerPaths(paths, known, 'needs').filter((path) => !known.has(path.at(-1)!));
  }
}

const textOfNeeds = (circle: readonly string[]): string =>
  `closes a circle of waits: ${circle.join(' → ')}. A run of each succeeds only after one of the next. Let ` +
  'one of them await a window before its own time, such as "previous-day", or give its task a "when"';

/** Throws `ProblemError` 400. */
function checkInputs(job: Job, known: ReadonlyMap<string, Job>): void {
  const tasks = Object.entries(job.workflow?.content?.tasks ?? {});
  const errors = tasks.flatMap(([id, task]): FieldError[] => {
    if (task.job === undefined) return [];
    const path = `workflow.tasks.${id}`;
    const child = known.get(task.job);
    if (!child) {
      const message = `${JSON.stringify(task.job)} is no job of this project; create it first`;
      return [{ path: `${path}.job`, message }];
    }
    if (child.workflow && task.input !== undefined)
      return [{ path: `${path}.input`, message: `${task.job} has a workflow: use params` }];
    if (!child.workflow && task.params)
      return [{ path: `${path}.params`, message: `${task.job} has no workflow: use input` }];
    return [];
  });
  if (errors.length > 0) throw invalid(errors);
}

/** A fault of the task that leads to a job. */
function at({ workflow }: Job, jobId: string, message: string) {
  const tasks = Object.entries(workflow?.content?.tasks ?? {});
  const [id, task] = tasks.find((entry) => (entry[1].await ?? entry[1]).job === jobId) ?? [];
  const field = task?.await ? 'await.job' : 'job';
  return invalid([{ path: id === undefined ? 'workflow' : `workflow.tasks.${id}.${field}`, message }]);
}
