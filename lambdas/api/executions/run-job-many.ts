import type { RunOutcomesView, RunOutcomeView } from '../../core/http/openapi/job';
import { RunBody, RunsBody } from '../../core/http/run';
import { inParallel } from '../../core/async/in-parallel';
import { withGatheredEntries } from '../../core/store/gathered-entries';
import { failedOutcome } from '../http/failed-outcome';
import { stampOf } from '../http/idempotency-key';
import { deliveryDepthOf } from '../http/loop-guard';
import { parseWith, readBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { checkRun, jobToRun, runOnce } from './run-job';

/** Bound on the body: a hundred runs of ten kilobytes. */
const MAX_BYTES = 1_048_576;
/** Runs started at the same time: the entries of so many are one call. */
const CONCURRENCY = 25;

interface Item {
  index: number;
  body: RunBody;
}

/**
 * 207 with an outcome per item. Each run is made or refused as if it were the only one. Items with one key
 * take effect in their order. The entries of runs are written together.
 */
export async function runJobMany(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { runs } = readBody(request, RunsBody, MAX_BYTES);
  // An invalid header is an error of the whole request, not of each item.
  stampOf(request, undefined);
  deliveryDepthOf(request);
  const job = await jobToRun(request, deps);
  const outcomes: RunOutcomeView[] = [];
  const items = runs.flatMap((input, index): Item[] => {
    try {
      return [{ index, body: checkRun(parseWith(input, RunBody), deps) }];
    } catch (error) {
      outcomes[index] = failedOutcome(index, error, request, deps);
      return [];
    }
  });
  const together = { ...deps, schedule: withGatheredEntries(deps.schedule, deps.clock) };
  const run = async ({ index, body }: Item) => {
    try {
      const answer = await runOnce(body, stampOf(request, body, index), job, request, together);
      outcomes[index] = {
        index,
        status: answer.status,
        execution: answer.body as NonNullable<RunOutcomeView['execution']>,
      };
    } catch (error) {
      outcomes[index] = failedOutcome(index, error, request, deps);
    }
  };
  for (const wave of wavesByKey(items)) await inParallel(wave, CONCURRENCY, run);
  return { status: 207, body: { outcomes } satisfies RunOutcomesView };
}

/** No wave has a key twice, and the items of a key keep their order. */
function wavesByKey(items: readonly Item[]): Item[][] {
  const waves: Item[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const { key } = item.body;
    const wave = key === undefined ? 0 : (seen.get(key) ?? 0);
    if (key !== undefined) seen.set(key, wave + 1);
    (waves[wave] ??= []).push(item);
  }
  return waves;
}
