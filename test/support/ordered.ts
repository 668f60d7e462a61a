import type { TargetResult } from '../../lambdas/core/domain/target-result';
import type { Job } from '../../lambdas/core/domain/job';
import { ORDERING_QUEUES, SLOTS, STARTS_SORT } from '../../lambdas/core/contracts/tables';
import { aTarget, T0_MS } from './factories';
import { newJobAt } from './new-job';
import { type SeenCall, PipelineWorld } from './pipeline-world';

/** One call of a target, from its request to its result. */
export interface Span extends SeenCall {
  jobId: string;
  beginMs: number;
  endMs: number;
}

/** A target's result, and how long it takes. */
export type Plays = (call: SeenCall & { jobId: string }) => { ms: number; answer?: TargetResult };

const SUCCESS: TargetResult = { outcome: 'succeeded', statusCode: 200 };

/** A world that records when each call of a target began and ended. */
export async function orderedWorld(plays: Plays = () => ({ ms: 1_000 }), shards = 2) {
  const world = await PipelineWorld.started(shards);
  const spans: Span[] = [];
  let jobId = '';
  world.observe = ({ headers }) => {
    jobId = headers['quarterjack-job']!;
  };
  world.behaviour = async (call, signal, clock) => {
    const span: Span = { ...call, jobId, beginMs: clock.nowMs(), endMs: Number.POSITIVE_INFINITY };
    spans.push(span);
    const { ms, answer = SUCCESS } = plays(span);
    await clock.sleep(ms, signal);
    span.endMs = clock.nowMs();
    return signal.aborted ? { outcome: 'retriable', error: 'call aborted' } : answer;
  };
  return { world, spans };
}

/** A job of an ordering key, with a target that may take its time. */
export const ordered = (world: PipelineWorld, jobId: string, overrides: Partial<Job> = {}): Job =>
  newJobAt(world, {
    jobId,
    orderingKey: 'customer/42',
    target: aTarget({ timeout: '2m' }),
    ...overrides,
  });

/** One due once, so many seconds after T0. */
export const dueOnce = (
  world: PipelineWorld,
  jobId: string,
  afterSec: number,
  overrides: Partial<Job> = {},
): Job =>
  ordered(world, jobId, {
    schedule: { type: 'at', at: new Date(T0_MS + afterSec * 1_000).toISOString() },
    misfire: { policy: 'fire-now', grace: '60s', catchUpWindow: '1h' },
    ...overrides,
  });

/** Calls that had not ended when another call began. */
export const overlapping = (spans: readonly Span[]): Span[] =>
  spans.filter((span, index) => spans.some((other, at) => at > index && other.beginMs < span.endMs));

/** Calls that came after one of a later due time. */
export const outOfOrder = (spans: readonly Span[]): Span[] =>
  spans.filter((span, index) => spans.some((other, at) => at < index && other.dueAtMs > span.dueAtMs));

/** `job@seconds after T0` of each call, in the order they were made. */
export const story = (spans: readonly Span[]): string[] =>
  spans.map(({ jobId, dueAtMs }) => `${jobId}@${(dueAtMs - T0_MS) / 1_000}`);

/** Tickets that were never removed. */
export const leftTickets = (world: PipelineWorld): string[] =>
  world.tables
    .rows('schedule')
    .filter(({ bucket, entry }) => String(bucket).startsWith(ORDERING_QUEUES) && entry !== '#')
    .map(({ entry }) => String(entry));

/** The largest number of calls at a time. */
export const mostAtOnce = (spans: readonly Span[]): number =>
  Math.max(
    0,
    ...spans.map(
      ({ beginMs }) => spans.filter((one) => one.beginMs <= beginMs && beginMs < one.endMs).length,
    ),
  );

/** Rows of slots and tickets that are left. The log of a rate's starts stays. */
export const leftSlotRows = (world: PipelineWorld) =>
  world.tables
    .rows('schedule')
    .filter(({ bucket, entry }) => String(bucket).startsWith(SLOTS) && entry !== STARTS_SORT);
