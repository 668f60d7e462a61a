import type { BatchOutcome, BatchView } from '../../core/http/answers';
import { JobBatchBody, JobBody } from '../../core/http/job';
import { inParallel } from '../../core/async/in-parallel';
import type { JobDefinition } from '../../core/domain/job';
import { onceEach } from '../../core/delivery/checked-lookup';
import { createOneJob } from './create-job';
import { definitionOf, resolveAhead } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { stampOf } from '../http/idempotency-key';
import { problemOf, problemResponse } from '../http/problem';
import { parseWith, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** Bound on the body of a batch: a hundred jobs of ten kilobytes. */
const MAX_BATCH_BYTES = 1_048_576;
/** Jobs created at the same time. */
const CONCURRENCY = 10;

interface Item {
  index: number;
  body: JobBody;
  definition: JobDefinition;
}

/**
 * 207 with an outcome per item. Each job is created or rejected as if it were the only one. If two items
 * choose the same jobId, the later one is created after the earlier. The host names of all targets are
 * resolved together, each once.
 */
export async function createJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { jobs } = readBody(request, JobBatchBody, MAX_BATCH_BYTES);
  // An invalid header is an error of the whole request, not of each item.
  stampOf(request, undefined);
  deliveryDepthOf(request);
  const outcomes: BatchOutcome[] = [];
  const items = jobs.flatMap((input, index): Item[] => {
    try {
      const body = parseWith(input, JobBody);
      return [{ index, body, definition: definitionOf(body) }];
    } catch (error) {
      outcomes[index] = failedOutcome(index, error, request, deps);
      return [];
    }
  });
  const once = { ...deps, resolve: onceEach(deps.resolve) };
  for (const { definition } of items) resolveAhead(definition, once);
  const [firsts, repeats] = byChosenId(items);
  const create = async (item: Item) => {
    outcomes[item.index] = await outcomeOf(item, request, once);
  };
  await inParallel(firsts, CONCURRENCY, create);
  await inParallel(repeats, 1, create);
  const body: BatchView = { outcomes };
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

async function outcomeOf(
  { index, body, definition }: Item,
  request: ApiRequest,
  deps: ApiDeps,
): Promise<BatchOutcome> {
  try {
    const stamp = stampOf(request, body, index);
    const response = await createOneJob(body.jobId, definition, stamp, request, deps);
    const job = response.body as NonNullable<BatchOutcome['job']>;
    const replayed = response.headers?.['idempotency-replayed'] === 'true';
    return { index, status: response.status, job, replayed };
  } catch (error) {
    return failedOutcome(index, error, request, deps);
  }
}

function failedOutcome(index: number, error: unknown, request: ApiRequest, { log }: ApiDeps): BatchOutcome {
  const problem = problemOf(error, request, log);
  const view = problemResponse(problem, request.requestId).body as NonNullable<BatchOutcome['problem']>;
  return { index, status: problem.status, problem: view };
}
