import {
  type BatchDryRun,
  type BatchOutcome,
  type FieldProblem,
  type Job,
  type JobDefinition,
  PermissionError,
  ProblemError,
  problemOf,
  type Quarterjack,
  type Schedule,
  ServerError,
  ValidationError,
} from '../../client';
import { inParallel } from '../in-parallel';
import { isObject } from '../is-object';
import type { Definition } from './definition';
import { hiddenProblems } from './hidden-problems';

/** Bounds of a batch: the API accepts 100 jobs and 1 MB, and resolves the names of 20 hosts. */
const MAX_JOBS = 100;
const MAX_BYTES = 1_000_000;
const MAX_HOSTS = 20;

interface Candidate {
  jobId: string;
  definition: Definition;
  /** The job is paused, and is to be resumed. */
  isResumed?: boolean;
}

export interface DryRun {
  /** Why the API would reject the job; empty if it would not. */
  problems: readonly FieldProblem[];
  /** The first due time of the schedule; null if it never fires, or if the job is rejected. */
  firstAt: string | null;
  /** Runs that wait with a payload that a changed `payloadSchema` does not fit. */
  misfits?: PendingMisfits | undefined;
}

export type PendingMisfits = NonNullable<Job['pendingMisfits']>;

interface DryRuns {
  /** One of each job, in the order given. */
  jobs: DryRun[];
  /** Quotas that the jobs exceed together, though no single batch of them does. */
  exceeded: string[];
  /** False if the token may not write jobs. Only the schedules were then checked. */
  isWhole: boolean;
}

/**
 * Asks the API whether it would accept jobs, new or changed. Changes nothing.
 *
 * The API itself has to answer: what it accepts depends on its version, its pools, its quotas and its rules
 * for targets. One request checks up to 100 jobs. The API checks the shape of a job before it checks when its
 * schedule fires. So for jobs of a wrong shape, a preview checks the schedule.
 */
export async function dryRun(client: Quarterjack, candidates: readonly Candidate[]): Promise<DryRuns> {
  try {
    const batches = await inParallel(batchesOf(candidates), async (batch) => {
      const { outcomes, usage } = await tryBatch(client, batch);
      return { usage, outcomes: batch.map((job, index) => ({ job, outcome: outcomes[index] })) };
    });
    const jobs = await inParallel(
      batches.flatMap(({ outcomes }) => outcomes),
      ({ job, outcome }) => dryRunOf(client, job, outcome),
    );
    return { jobs, exceeded: exceededBy(batches.map(({ usage }) => usage)), isWhole: true };
  } catch (error) {
    if (!(error instanceof PermissionError)) throw error;
    const jobs = await inParallel(candidates, ({ definition }) => previewOf(client, definition));
    return { jobs, exceeded: [], isWhole: false };
  }
}

export const isOfSchedule = ({ path }: FieldProblem): boolean => /^schedule\b/.test(path);

/** The rejected fields, or the detail of the error if it names none. */
export const fieldProblemsOf = ({
  errors,
  detail,
}: Pick<ValidationError, 'errors' | 'detail'>): readonly FieldProblem[] =>
  errors.length > 0 ? errors : [{ path: '', message: detail }];

/**
 * If the body of a batch is rejected as a whole, because of one job, each job is tried alone. A batch is
 * deeper than its jobs, so the API may then accept them all.
 */
async function tryBatch(client: Quarterjack, batch: readonly Candidate[]): Promise<BatchDryRun> {
  const bodies = batch.map((candidate) => ({ ...bodyOf(candidate), jobId: candidate.jobId }));
  try {
    return await client.jobs.dryRunBatch(bodies, { replace: true, resume: resumedOf(batch) });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { outcomes: await inParallel(batch, (candidate) => tryAlone(client, candidate)) };
  }
}

/** Left out where no job is resumed. */
function resumedOf(batch: readonly Candidate[]): string[] | undefined {
  const resumed = batch.filter(({ isResumed }) => isResumed).map(({ jobId }) => jobId);
  return resumed.length > 0 ? resumed : undefined;
}

async function tryAlone({ jobs }: Quarterjack, candidate: Candidate): Promise<BatchOutcome> {
  try {
    const { etag: _, ...job } = await jobs.put(candidate.jobId, bodyOf(candidate), { dryRun: true });
    return { index: 0, status: 200, job };
  } catch (error) {
    if (!(error instanceof ProblemError) || error instanceof PermissionError) throw error;
    const { status, type, title, detail, instance = '', errors } = error;
    return { index: 0, status, problem: { type, title, status, detail, instance, errors: [...errors] } };
  }
}

const bodyOf = ({ definition }: Candidate): JobDefinition => definition as unknown as JobDefinition;

async function dryRunOf(
  client: Quarterjack,
  { jobId, definition }: Candidate,
  outcome: BatchOutcome | undefined,
): Promise<DryRun> {
  if (outcome?.job) {
    const { nextFireAt: firstAt, pendingMisfits: misfits } = outcome.job;
    return { problems: [], firstAt, misfits };
  }
  const problem = problemOf(outcome?.status ?? 500, outcome?.problem);
  if (problem instanceof ServerError) throw problem;
  const problems = fieldProblemsOf(problem);
  if (!(problem instanceof ValidationError)) return { problems, firstAt: null };
  const ofSchedule = problems.some(isOfSchedule) ? [] : (await previewOf(client, definition)).problems;
  const known = [...ofSchedule, ...problems];
  const others = await hiddenProblems(
    known,
    (rest) => tryAlone(client, { jobId, definition: rest }),
    definition,
  );
  return { problems: [...known, ...others], firstAt: null };
}

async function previewOf(client: Quarterjack, { schedule }: Definition): Promise<DryRun> {
  try {
    const { times } = await client.preview(schedule as Schedule, { count: 1 });
    return { problems: [], firstAt: times[0]?.at ?? null };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { problems: fieldProblemsOf(error), firstAt: null };
  }
}

function batchesOf(candidates: readonly Candidate[]): Candidate[][] {
  const batches: { jobs: Candidate[]; bytes: number; hosts: Set<string> }[] = [];
  for (const candidate of candidates) {
    const size = Buffer.byteLength(JSON.stringify(candidate));
    const own = hostsOf(candidate.definition);
    const last = batches.at(-1);
    const hosts = new Set([...(last?.hosts ?? []), ...own]);
    const fits =
      last && last.jobs.length < MAX_JOBS && last.bytes + size <= MAX_BYTES && hosts.size <= MAX_HOSTS;
    if (fits) {
      last.jobs.push(candidate);
      last.bytes += size;
      last.hosts = hosts;
    } else batches.push({ jobs: [candidate], bytes: size, hosts: new Set(own) });
  }
  return batches.map(({ jobs }) => jobs);
}

/** The hosts of a definition's targets, as far as they can be read. */
function hostsOf({ workflow, ...definition }: Definition): string[] {
  const tasks = isObject(workflow) && isObject(workflow.tasks) ? Object.values(workflow.tasks) : [];
  const all: unknown[] = [definition, ...tasks.filter(isObject)].flatMap(({ target, targets }) =>
    Array.isArray(targets) ? (targets as unknown[]) : [target],
  );
  return all.flatMap((one) => {
    const url = isObject(one) ? one.url : undefined;
    return typeof url === 'string' && URL.canParse(url) ? [new URL(url).host] : [];
  });
}

const QUOTAS = ['jobs', 'firesPerMinute', 'payloadBytes'] as const;
/** Sums of fires per minute are not exact. */
const TOLERANCE = 1e-6;

/** Each batch fits the quotas; here all of them have to. */
function exceededBy(usages: readonly BatchDryRun['usage'][]): string[] {
  const known = usages.filter((usage) => usage !== undefined);
  return QUOTAS.flatMap((quota) => {
    const adds = known.reduce((sum, usage) => sum + usage[quota].adds, 0);
    const { used, allowed } = known.at(-1)?.[quota] ?? { used: 0, allowed: Infinity };
    if (adds === 0 || used + adds <= allowed + TOLERANCE) return [];
    const shown = (count: number) => Number(count.toFixed(2));
    return [
      `the quota ${quota} is ${allowed}: ${shown(used)} are used, these jobs would take ${shown(adds)} more`,
    ];
  });
}
