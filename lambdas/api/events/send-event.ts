import { inParallel } from '../../core/async/in-parallel';
import { instantText } from '../../core/clock/clock';
import { type JobRef, jobKeyOf } from '../../core/contracts/tables';
import { type EventCause, waitsForEvent } from '../../core/domain/cause';
import type { Execution } from '../../core/domain/execution';
import { isPausedAt, type Job } from '../../core/domain/job';
import { labelsIn, type RunLabels } from '../../core/domain/run-labels';
import { enteringPayload, misfitText } from '../../core/domain/payload-fit';
import {
  causedRun,
  type CausedRun,
  leftOf,
  type SeenRun,
  seeRuns,
  startRuns,
  startSeenRuns,
} from '../../core/ending/start-runs';
import { findJobs } from '../../core/store/read-whole';
import type { EventView } from '../../core/http/openapi/event';
import { EventBody } from '../../core/http/external-schedule';
import type { EventSpec } from '../../core/schedule/spec';
import { checkLiveRuns, putExternalId } from '../executions/new-run';
import { deliveryDepthOf } from '../http/loop-guard';
import { readBody } from '../http/parse-request';
import { checkPayload } from '../jobs/definition';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { openOrMoveRun } from './debounce';
import { finishEvent, isFinished, receivedEvent, recordEvent } from './received-event';

/** Runs whose external ids are written at the same time. */
const CONCURRENCY = 10;
/** Rows of waiters that are read at once. */
const PAGE = 100;

type Waiter = Job & { schedule: EventSpec };

interface SentEvent {
  cause: EventCause;
  /** When it was first received: the same for each repeat. */
  atMs: number;
  payload: Execution['payload'];
  deliveryDepth: number | undefined;
  trace: Execution['trace'];
  labels: RunLabels;
}

/**
 * 202 with the runs that the event starts: one for each job that waits for it. If the event does not fit
 * the schema of a job, the run of that job has failed, and the others start. All of them count towards the
 * quota of runs before anything is written, so an event is refused (429) as a whole. The runs' ids follow
 * from the event's id and the job. So a repeat of the event starts what the first request has left undone,
 * and nothing twice. A repeat counts what it still has to write.
 */
export async function sendEvent(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readBody(request, EventBody);
  checkPayload(body.data);
  const deliveryDepth = deliveryDepthOf(request);
  const event = await receivedEvent(request, body, deps);
  const waiters = await waitersFor(request.project, body, deps);
  const replayed = event.knownAtMs !== undefined;
  const seenAtMs = event.knownAtMs ?? deps.clock.nowMs();
  const active = waiters.filter((job) => !isPausedAt(job, seenAtMs));
  if (active.length > 0 && !replayed) {
    await checkLiveRuns(request.project, active, deps);
    await deps.quotas.chargeRate(request.project, 'runs', active.length);
  }

  const { name, key, data } = body;
  const sent: SentEvent = {
    cause: { type: 'event', name, eventId: event.eventId, ...(key !== undefined && { key }) },
    atMs: await recordEvent(event, deps),
    payload: data === undefined ? undefined : { value: data },
    deliveryDepth,
    trace: await request.trace?.(),
    labels: labelsIn(body),
  };
  const misfits = await misfitsOf(active, sent);
  const debounced = active.filter((job) => job.schedule.debounce !== undefined && !misfits.has(job));
  const runs = waiters
    .filter((job) => !debounced.includes(job))
    .map((job) => runFor(job, sent, misfits.get(job), deps));
  await inParallel(runs, CONCURRENCY, ({ run }) => putExternalId(run, deps));
  const moving = debounced.length > 0 && !(await isFinished(event, deps)) ? debounced : [];
  if (replayed) {
    const seen = await seeRuns(runs, deps);
    await chargeRepeat(request.project, seen, moving, deps);
    await startSeenRuns(seen, deps);
  } else await startRuns(runs, deps);
  for (const job of moving)
    runs.push(await openOrMoveRun(job, { ...sent, debounce: job.schedule.debounce! }, deps));
  if (moving.length > 0) await finishEvent(event, deps);
  return { status: 202, body: viewOf(event.eventId, name, runs, replayed) };
}

/** Throws `ProblemError` 429 if this minute has no room for what a repeat still has to write. */
async function chargeRepeat(
  project: string,
  seen: readonly SeenRun[],
  moving: readonly Job[],
  deps: ApiDeps,
): Promise<void> {
  const { rows, entries } = leftOf(seen);
  const started = rows + moving.length;
  if (started > 0) await deps.quotas.chargeRate(project, 'runs', started);
  if (entries > 0) await deps.quotas.chargeRate(project, 'changes', entries);
}

/** The jobs whose payload would not fit, each with the reason. */
async function misfitsOf(jobs: readonly Waiter[], { payload }: SentEvent): Promise<Map<Waiter, string>> {
  const misfits = new Map<Waiter, string>();
  for (const job of jobs) {
    const entering = job.workflow ? undefined : enteringPayload(job, payload);
    const misfit = entering && (await misfitText(job, entering.value, 'payload'));
    if (misfit !== undefined) misfits.set(job, misfit);
  }
  return misfits;
}

const runFor = (
  job: Waiter,
  { cause, atMs, ...sent }: SentEvent,
  misfit: string | undefined,
  deps: ApiDeps,
): CausedRun => causedRun(job, cause, { atMs, dueAtMs: atMs, ...sent, misfit }, deps);

/** The jobs that wait for the event, by their schedules as they are now. */
async function waitersFor(project: string, { name, data }: EventBody, deps: ApiDeps): Promise<Waiter[]> {
  const refs: JobRef[] = [];
  for (let after: string | undefined; ;) {
    const uses = await deps.uses.list(project, 'event', name, { after, limit: PAGE });
    refs.push(...uses);
    if (uses.length < PAGE) break;
    after = uses.at(-1)!.jobId;
  }
  if (refs.length === 0) return [];
  const { jobs } = await findJobs(refs.map(jobKeyOf), deps);
  return [...jobs.values()].filter((job): job is Waiter => waitsForEvent(job.schedule, name, data));
}

const viewOf = (eventId: string, name: string, runs: readonly CausedRun[], replayed: boolean): EventView => ({
  eventId,
  name,
  runs: runs.map(({ run, job }) => ({
    jobId: job.jobId,
    execId: run.execId,
    status: run.status === 'skipped' || run.status === 'failed' ? run.status : 'queued',
    dueAt: instantText(run.dueAtMs),
  })),
  replayed,
});
