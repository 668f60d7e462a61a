import type { BatchOutcome, BatchView } from '../../core/http/openapi/answers';
import { JobBatchBody, JobBody } from '../../core/http/job';
import { CreateJobsQuery } from '../../core/http/queries';
import { inParallel } from '../../core/async/in-parallel';
import type { JobDefinition } from '../../core/domain/job';
import { causesNamedBy } from '../../core/domain/uses';
import { onceEach } from '../../core/delivery/checked-lookup';
import { withGatheredEntries } from '../../core/store/gathered-entries';
import { createOneJob, tryOneJob } from './create-job';
import { dryRun } from './dry-run';
import { definitionOf, resolveAhead } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { stampOf } from '../http/idempotency-key';
import { failedOutcome } from '../http/failed-outcome';
import { invalidField } from '../http/problem';
import { jobResponse } from './job-view';
import { insertOrChange, putOneJob } from './put-job';
import { parseWith, readBody, readQuery } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import type { Save } from './save-job';

/** Bound on the body of a batch: a hundred jobs of ten kilobytes. */
const MAX_BATCH_BYTES = 1_048_576;
/** Jobs created at the same time: the entries of so many are one call. */
const CONCURRENCY = 25;

interface Item {
  index: number;
  body: JobBody;
  definition: JobDefinition;
}

/**
 * 207 with an outcome per item. Each job is created or rejected as if it were the only one; a dry run checks
 * the quotas for all of them together. If two items choose the same jobId, the later one is made after the
 * earlier. The host names of all targets are resolved together, each once. Their entries are written together
 * too: an error of that write is the outcome of each of its jobs.
 */
export async function createJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const query = readQuery(request, CreateJobsQuery);
  const { jobs, resume } = readBody(request, JobBatchBody, MAX_BATCH_BYTES);
  if (resume && !query.dryRun) throw invalidField('resume', 'needs dryRun=true: a batch resumes no job');
  // An invalid header is an error of the whole request, not of each item.
  stampOf(request, undefined);
  deliveryDepthOf(request);
  const outcomes: BatchOutcome[] = [];
  const items = jobs.flatMap((input, index): Item[] => {
    try {
      const body = parseWith(input, JobBody);
      if (query.replace && body.jobId === undefined)
        throw invalidField('jobId', 'is required with replace=true');
      return [{ index, body, definition: definitionOf(body) }];
    } catch (error) {
      outcomes[index] = failedOutcome(index, error, request, deps);
      return [];
    }
  });
  const schedule = withGatheredEntries(deps.schedule, deps.clock);
  const once = { ...deps, schedule, resolve: onceEach(deps.resolve) };
  for (const { definition } of items) resolveAhead(definition, once);
  const [firsts, repeats] = byChosenId(items);
  const trial = query.dryRun ? dryRun(resume) : undefined;
  const make = query.replace ? put : trial ? tryToCreate : create;
  const act = async (item: Item) => {
    outcomes[item.index] = await outcomeOf(item, make, request, { ...once, save: trial?.save });
  };
  const waves = [...upstreamFirst(firsts).flatMap(apart), ...repeats.map((item) => [item])];
  for (const wave of waves) await inParallel(wave, CONCURRENCY, act);
  const usage = await trial?.usage(request.project, deps);
  const body: BatchView = usage ? { outcomes, usage } : { outcomes };
  return { status: 207, body };
}

/** Splits the items, in order: the second list has those whose chosen jobId an earlier item chose too. */
function byChosenId(items: Item[]): [firsts: Item[], repeats: Item[]] {
  const chosen = new Set<string>();
  const firsts: Item[] = [];
  const repeats: Item[] = [];
  for (const item of items) {
    const { jobId } = item.body;
    (jobId !== undefined && chosen.has(jobId) ? repeats : firsts).push(item);
    if (jobId !== undefined) chosen.add(jobId);
  }
  return [firsts, repeats];
}

/** The items in waves: an item comes after those of the same request that it waits for. */
function upstreamFirst(items: readonly Item[]): Item[][] {
  const waves: Item[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const open = new Set(left.map(({ body }) => body.jobId));
    const isFree = ({ definition }: Item) =>
      causesNamedBy(definition).every(({ kind, name }) => kind !== 'job' || !open.has(name));
    const free = left.filter(isFree);
    // What is left waits for itself: each of them is rejected for that.
    const wave = free.length > 0 ? free : left;
    waves.push(wave);
    left = left.filter((item) => !wave.includes(item));
  }
  return waves;
}

/**
 * A wave as several: in the last ones, each job that needs others is alone. Two such jobs, made at once,
 * could close a circle that neither check sees.
 */
function apart(wave: readonly Item[]): Item[][] {
  const needsOthers = ({ definition: { workflow } }: Item): boolean =>
    workflow?.jobs !== undefined || workflow?.needs !== undefined;
  return [wave.filter((item) => !needsOthers(item)), ...wave.filter(needsOthers).map((item) => [item])];
}

type BatchDeps = ApiDeps & { save?: Save };
type Make = (item: Item, request: ApiRequest, deps: BatchDeps) => Promise<ApiResponse>;

const create: Make = ({ index, body, definition }, request, deps) =>
  createOneJob(body.jobId, definition, stampOf(request, body, index), request, deps);

const tryToCreate: Make = ({ body, definition }, request, { save = insertOrChange, ...deps }) =>
  tryOneJob(body.jobId, definition, save, request, deps);

const put: Make = async ({ body: { jobId = '' }, definition }, request, deps) => {
  const saved = await putOneJob(jobId, definition, request, deps);
  const isNew = saved.outcome === 'created';
  return jobResponse(isNew ? 201 : 200, saved, deps, { isNew });
};

async function outcomeOf(
  item: Item,
  make: Make,
  request: ApiRequest,
  deps: BatchDeps,
): Promise<BatchOutcome> {
  const { index } = item;
  try {
    const response = await make(item, request, deps);
    const job = response.body as NonNullable<BatchOutcome['job']>;
    const replayed = response.headers?.['idempotency-replayed'] === 'true';
    return { index, status: response.status, job, ...(response.status === 201 && { replayed }) };
  } catch (error) {
    return failedOutcome(index, error, request, deps);
  }
}
