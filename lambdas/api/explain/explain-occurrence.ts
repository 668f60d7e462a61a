import { DAY_MS, instantText, MINUTE_MS } from '../../core/clock/clock';
import { explain } from '../../core/domain/explain/explain';
import { currentAt } from '../../core/domain/explain/timeline';
import { coveredThroughMs, newestRowThrough } from '../../core/history/coverage';
import { ExplainQuery } from '../../core/http/lookup-queries';
import type { ExplainView } from '../../core/http/openapi/lookup-answers';
import { executionView } from '../executions/execution-view';
import { mustHaveExisted } from '../executions/list-executions';
import { readQuery, requestedJob } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { gatherFacts, gatherJob, type JobFacts } from './gather-facts';

/** 200 with why the job ran, did not run or will run at an instant; also of a deleted job. Writes nothing. */
export async function explainOccurrence(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const ref = requestedJob(request);
  const { at } = readQuery(request, ExplainQuery);
  const ofJob = await gatherJob(ref, at ?? deps.clock.nowMs(), deps);
  if (ofJob.changes.length === 0) await mustHaveExisted(ref, deps);
  const atMs = at === undefined ? await lastDueMs(ofJob, deps) : occurrenceMeant(ofJob, at, deps);
  const facts = await gatherFacts(ofJob, atMs, deps);
  const { verdict, sentence, steps } = explain(facts);
  const body: ExplainView = {
    at: instantText(facts.atMs),
    verdict,
    sentence,
    steps,
    execution: facts.row ? await executionView(facts.row, deps) : null,
  };
  return { status: 200, body };
}

/** The last due time that was planned or is on record; without one, the next one, or now. */
async function lastDueMs(ofJob: JobFacts, deps: ApiDeps): Promise<number> {
  const nowMs = deps.clock.nowMs();
  const facts = { ...ofJob, retainedFromMs: nowMs - deps.retentionDays * DAY_MS };
  const current = currentAt(facts, nowMs);
  const definition = current.state === 'known' ? current.definition : undefined;
  const previousMs = definition?.schedule.previous(nowMs + 1);
  const isOwn = previousMs !== undefined && previousMs > definition!.scheduleChangedAtMs;
  const row = await newestRowThrough(ofJob.jobKey, nowMs, deps);
  const known = [isOwn ? previousMs : undefined, row && coveredThroughMs(row)].filter(
    (ms) => ms !== undefined,
  );
  return known.length > 0 ? Math.max(...known) : (definition?.schedule.next(nowMs) ?? nowMs);
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
