import type { HeldExecution, StageDeps } from '../../deps';
import type { Execution } from '../../domain/execution';
import type { Job } from '../../domain/job';
import type { TakenByRun } from '../../domain/to-deliver';
import { derive } from '../../domain/workflow/derive';
import { BACKFILL_TIME, BACKFILL_VERSION } from '../../domain/workflow/backfill';
import { countsAsLive } from '../../domain/timing';
import type { RunState } from '../../domain/workflow/run-state';
import { graphOfRun } from './mark-task';
import { goOnWithRun } from './go-on-with-run';
import { parseDuration } from '../../schedule/duration';

/** What a run that its user has retried keeps: its tasks as they were opened again. */
const reopenedIn = ({ marks, rounds, go, startedAtMs, moves }: RunState, nowMs: number) => ({
  marks,
  rounds,
  ...(go && { go }),
  startedAtMs,
  reopenedAtMs: nowMs,
  moves: moves + 1,
});

/** The workflow of a backfill follows from its row. */
const firstVersionOf = ({ backfill }: Execution, { workflow }: Job): Pick<RunState, 'version' | 'number'> =>
  backfill ? { version: BACKFILL_VERSION, number: 0 } : workflow!;

/**
 * Starts a run, in place of calling targets: one write makes the claimed execution a run, then the first
 * tasks are sent. No lease is held from then on, because every later write is conditional on what it has
 * seen. A crash before the write is taken over; one after it is repaired by the run's recheck.
 */
export async function startRun(
  { execution, handle }: HeldExecution,
  job: Job,
  deps: StageDeps,
): Promise<TakenByRun> {
  const { jobKey, execId } = execution;
  const { version, number } = execution.run ?? firstVersionOf(execution, job);
  const graph = await graphOfRun({ jobKey, execId, run: { version }, backfill: execution.backfill }, deps);
  const nowMs = deps.clock.nowMs();
  const run: RunState = {
    version,
    number,
    by: handle.lease.claimId,
    jobCreatedAtMs: job.createdAtMs,
    startedAtMs: nowMs,
    endsAtMs: nowMs + parseDuration(execution.backfill ? BACKFILL_TIME : job.timeout),
    touchedAtMs: nowMs,
    moves: 0,
    marks: {},
    rounds: {},
    ...(graph.workflow.maxParallel !== undefined && { go: {} }),
    ...(execution.run && reopenedIn(execution.run, nowMs)),
    priority: execution.lane?.priority ?? execution.priority ?? job.priority,
    pool: job.pool,
  };
  const answer = await handle.write(() => deps.runs.start(handle.lease, run));
  if (answer === 'lease-lost') return answer;
  if (answer.outcome !== 'started') {
    if (answer.outcome === 'lease-lost') return answer.outcome;
    const row = await deps.executions.get({ jobKey, execId });
    const reason = row?.cancelRequested?.reason ?? 'cancelled-by-user';
    return { end: { status: 'cancelled', reason } };
  }
  if (countsAsLive(answer.run)) await deps.liveRuns.count(job.userId, 1);
  const { states } = derive(graph, answer.run.run);
  const ready = new Set(graph.order.filter((index) => states[index] === 'ready'));
  await goOnWithRun(answer.run, { fresh: ready, by: 'other' }, deps);
  return 'running';
}
