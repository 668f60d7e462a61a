import { DAY_MS, instantText, MINUTE_MS } from '../../core/clock/clock';
import { explain } from '../../core/domain/explain/explain';
import { currentAt } from '../../core/domain/explain/timeline';
import { ExplainQuery } from '../../core/http/lookup-queries';
import type { ExplainView } from '../../core/http/explain-answers';
import { executionView } from '../executions/execution-view';
import { mustHaveExisted } from '../executions/list-executions';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { gatherFacts, gatherJob, type JobFacts } from './gather-facts';

/** 200 with why the job ran, did not run or will run at an instant; also of a deleted job. Writes nothing. */
export async function explainOccurrence(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { at } = readQuery(request, ExplainQuery);
  const ofJob = await gatherJob(ref, at, deps);
  if (ofJob.changes.length === 0) await mustHaveExisted(ref, deps);
  const facts = await gatherFacts(ofJob, occurrenceMeant(ofJob, at, deps), deps);
  const { verdict, sentence, steps } = explain(facts);
  const body: ExplainView = {
    at: instantText(facts.atMs),
    verdict,
    sentence,
    steps,
    execution: facts.row ? executionView(facts.row) : null,
  };
  return { status: 200, body };
}

/**
 * The occurrence that an instant means. People name a minute, or the time of the expression. An occurrence
 * may be later: by the jitter of its job, or by the seconds of its schedule.
 */
function occurrenceMeant(ofJob: JobFacts, atMs: number, { clock, retentionDays }: ApiDeps): number {
  const facts = { ...ofJob, retainedFromMs: clock.nowMs() - retentionDays * DAY_MS };
  const current = currentAt(facts, atMs);
  if (current.state !== 'known') return atMs;
  const { schedule } = current.definition;
  if (schedule.occursAt(atMs)) return atMs;
  const { jitterMs = 0 } = schedule.plan;
  if (jitterMs > 0 && schedule.occursAt(atMs + jitterMs)) return atMs + jitterMs;
  const nextMs = schedule.next(atMs);
  const isInMinute = atMs % MINUTE_MS === 0 && nextMs !== undefined && nextMs < atMs + MINUTE_MS;
  return isInMinute ? nextMs : atMs;
}
