import type { BatchOutcome, BatchView } from '../../core/http/answers';
import { JobBatchBody, JobBody } from '../../core/http/job';
import { onceEach } from '../../core/delivery/checked-lookup';
import { createOneJob } from './create-one-job';
import { definitionOf, resolveAhead } from './definition';
import { deliveryDepthOf } from '../http/loop-guard';
import { stampOf } from '../http/idempotency-key';
import { problemOf, problemResponse } from '../http/problem';
import { check, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** Of a batch as a whole: a hundred jobs of ten kilobytes. */
const MAX_BATCH_BYTES = 1_048_576;
/** Jobs made side by side. */
const CONCURRENCY = 10;

interface Item {
  index: number;
  body: JobBody;
}

/**
 * 207: each job is made, or refused, as if it had come alone. Where two items choose one jobId, the later one comes
 * after the earlier. The names of all targets are resolved side by side, and each once.
 */
export async function createJobs(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { jobs } = readBody(request, JobBatchBody, MAX_BATCH_BYTES);
  stampOf(request, undefined); // a key that is none is the whole request's fault
  deliveryDepthOf(request); // and so is too long a chain
  const outcomes: BatchOutcome[] = [];
  const items = jobs.flatMap((input, index): Item[] => {
    try {
      return [{ index, body: check(input, JobBody) }];
    } catch (error) {
      outcomes[index] = failedOutcome(index, error, request, deps);
      return [];
    }
  });
  const once = { ...deps, resolve: onceEach(deps.resolve) };
  for (const { body } of items) resolveAhead(definitionOf(body), once);
  const [firsts, repeats] = byChosenId(items);
  const lane = async (items: Item[]) => {
    for (let item = items.shift(); item; item = items.shift())
      outcomes[item.index] = await outcomeOf(item, request, once);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, () => lane(firsts)));
  await lane(repeats);
  const body: BatchView = { outcomes };
  return { status: 207, body };
}

/** Items in order; the second list has those that choose a jobId which an earlier one chose. */
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

async function outcomeOf({ index, body }: Item, request: ApiRequest, deps: ApiDeps): Promise<BatchOutcome> {
  try {
    const made = await createOneJob(body, stampOf(request, body, index), request, deps);
    const job = made.body as NonNullable<BatchOutcome['job']>;
    return { index, status: made.status, job, replayed: made.headers?.['idempotency-replayed'] === 'true' };
  } catch (error) {
    return failedOutcome(index, error, request, deps);
  }
}

function failedOutcome(index: number, error: unknown, request: ApiRequest, { log }: ApiDeps): BatchOutcome {
  const problem = problemOf(error, request, log);
  const view = problemResponse(problem, request.requestId).body as NonNullable<BatchOutcome['problem']>;
  return { index, status: problem.status, problem: view };
}
