import type { Clock } from '../../core/clock/clock';
import { Metric } from '../../core/contracts/metrics';
import type { Sampling, SpansMessage } from '../../core/contracts/otlp';
import type { DeploymentSecret } from '../../core/delivery/signing/deployment-secret';
import { isSampled, recordsJob } from '../../core/delivery/trace-ids';
import { endIn, type EndSeen } from '../../core/domain/journal-end';
import { taskRefOf } from '../../core/domain/workflow/task-id';
import type { RequestQueue } from '../../core/queue/request-queue';
import type { ExecutionChange } from '../../core/store/execution-stream';
import type { Log, Meter } from '../../core/telemetry/telemetry';
import { spansOfExecution, traceIn } from './execution-spans';
import { hasBegun } from './seen-life';
import { writeEach } from '../write-each';
import { readSpanContext, type SpanContext, type SpanReads } from './span-context';
import { spanMessagesOf, type SpansOfChange } from './span-messages';
import { spansOfTasks } from './task-spans';

export interface SpanDeps extends Omit<SpanReads, 'log'> {
  queue: RequestQueue<SpansMessage>;
  secret: DeploymentSecret;
  sampling: Sampling;
}

interface Surroundings {
  clock: Pick<Clock, 'nowMs'>;
  log: Log;
  meter: Pick<Meter, 'count'>;
}

/** So many items of a fan-out have spans. That of its task has the counts of all. */
const MOST_ITEMS = 1_000;
const PARALLEL_SENDS = 4;

/**
 * Makes the spans of what has ended among changes, and sends them to the exporter. A batch that comes again
 * makes equal spans.
 *
 * @returns the index of the first change whose spans may not be sent; undefined: all are
 */
export async function followSpans(
  changes: readonly ExecutionChange[],
  { queue, secret, sampling, ...reads }: SpanDeps,
  { clock, log, meter }: Surroundings,
): Promise<number | undefined> {
  const ends = changes.flatMap(({ before, after }, index) => {
    const ended = endIn(before, after);
    if (!ended || !recordsJob(ended.jobKey, sampling) || !hasBegun(before, ended)) return [];
    const isLeftOut = (taskRefOf(ended.execId)?.item ?? 0) >= MOST_ITEMS;
    return isLeftOut ? [] : [{ index, ended }];
  });
  if (ends.length === 0) return undefined;
  const fail = (error: unknown): void =>
    log.error('spans were not sent; the stream brings them again', error);
  try {
    const keys = { secret: await secret.get(), sampling };
    const context = await readSpanContext(
      ends.map(({ ended }) => ended),
      keys,
      { ...reads, log },
    );
    const made = ends.flatMap(({ index, ended }) => spansOf(index, ended, context, { log, meter }));
    return await writeEach(
      spanMessagesOf(made, clock.nowMs()),
      PARALLEL_SENDS,
      ({ message }) => queue.send([{ request: message, delaySec: 0 }]),
      fail,
    );
  } catch (error) {
    fail(error);
    return ends[0]!.index;
  }
}

/** A row of which no spans can be made would hold up all others: it is counted, logged and passed over. */
function spansOf(
  index: number,
  ended: EndSeen,
  context: SpanContext,
  { log, meter }: Pick<Surroundings, 'log' | 'meter'>,
): SpansOfChange[] {
  try {
    if (!isSampled(traceIn(ended, context))) return [];
    return [{ index, spans: [...spansOfTasks(ended, context), ...spansOfExecution(ended, context)] }];
  } catch (error) {
    meter.count(Metric.spansDropped);
    log.error('no spans could be made of an execution', error, {
      jobKey: ended.jobKey,
      execId: ended.execId,
    });
    return [];
  }
}
