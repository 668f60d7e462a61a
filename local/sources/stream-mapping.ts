import { setTimeout as sleep } from 'node:timers/promises';

import type { InvokeOutcome } from '../invoke/environment';
import { type Clock, SECOND_MS } from '../machine/clock';
import type { StreamRecord, TableStream } from '../services/dynamodb/table-stream';
import type { FunctionSpec, StreamMappingSpec } from '../template/stack';

/** Waits before a batch that has failed comes again. */
const RETRY_AFTER_MS = SECOND_MS;
/** On shutdown, a running batch gets this long to finish. */
const GRACE_MS = 3 * SECOND_MS;

interface StreamDeps {
  clock: Clock;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  /** Sends a message to a queue of the stack, under the role of the function. */
  sendToQueue(from: FunctionSpec, queueArn: string, body: string): Promise<void>;
  functions: readonly FunctionSpec[];
  onError(line: string): void;
}

/** Starts the readers of all streams. `stop` waits for running batches, but for three seconds at most. */
export function startStreamMappings(
  mappings: readonly StreamMappingSpec[],
  { streams, ...deps }: StreamDeps & { streams: readonly TableStream[] },
): { stop(): Promise<unknown> } {
  const started = mappings.map((mapping) =>
    startStreamMapping(
      mapping,
      streams.find(({ arn }) => arn === mapping.streamArn)!,
      deps,
    ),
  );
  return {
    stop: () => Promise.race([Promise.all(started.map((one) => one.stop())), sleep(GRACE_MS)]),
  };
}

/** Starts the reader of a stream. `stop` resolves when no batch is running any more. */
export function startStreamMapping(
  mapping: StreamMappingSpec,
  stream: TableStream,
  deps: StreamDeps,
): { stop(): Promise<void> } {
  const reader = new StreamReader(mapping, stream, deps);
  const reading = reader.read();
  return {
    async stop() {
      reader.stop();
      await reading;
    },
  };
}

/**
 * Invokes a function with the records of a stream, one batch after another. A batch is as large as allowed,
 * or what has come within the window. What fails comes again, before all that is behind it. The function may
 * report the first failed record: then it comes again from there. Else it comes in halves, if the mapping
 * bisects. What has failed for too long is dropped, and its position is sent to a queue.
 */
class StreamReader {
  private readonly stopped = new AbortController();
  /** Ends the wait for a record, or for a full batch. */
  private wake = (): void => undefined;

  constructor(
    private readonly mapping: StreamMappingSpec,
    private readonly stream: TableStream,
    private readonly deps: StreamDeps,
  ) {}

  stop(): void {
    this.stopped.abort();
    this.wake();
  }

  async read(): Promise<void> {
    const { mapping, stream, deps } = this;
    /** The most records of the next batch; undefined: as many as allowed. */
    let most: number | undefined;
    for (;;) {
      if (most === undefined) await this.gather();
      if (this.stopped.signal.aborted) return;
      const batch = stream.oldest(most ?? mapping.batchSize);
      const done = await invokeWith(batch, mapping, deps);
      stream.drop(batch.slice(0, done));
      most = undefined;
      if (done === batch.length) continue;
      const failed = batch.slice(done);
      if (await givesUp(failed, mapping, deps)) {
        stream.drop(failed);
        continue;
      }
      if (done === 0 && mapping.bisects) most = Math.max(1, Math.floor(failed.length / 2));
      await this.pause(RETRY_AFTER_MS);
    }
  }

  /** Waits until a batch is due. */
  private async gather(): Promise<void> {
    await this.until(1);
    const window = new AbortController();
    await Promise.race([
      this.until(this.mapping.batchSize),
      sleep(this.mapping.windowMs, undefined, { signal: window.signal }).catch(() => undefined),
    ]);
    window.abort();
  }

  /** Waits until so many records are there, or the reader is stopped. */
  private until(size: number): Promise<void> {
    const { stream, stopped } = this;
    return new Promise((resolve) => {
      this.wake = () => {
        if (stopped.signal.aborted || stream.size >= size) resolve();
      };
      stream.onRecord = this.wake;
      this.wake();
    });
  }

  private pause(ms: number): Promise<unknown> {
    return sleep(ms, undefined, { signal: this.stopped.signal }).catch(() => undefined);
  }
}

/** How many records of the batch are done, from the first on. */
async function invokeWith(
  batch: readonly StreamRecord[],
  { functionArn, reportsItemFailures }: StreamMappingSpec,
  { invoke }: StreamDeps,
): Promise<number> {
  const outcome = await invoke(functionArn, JSON.stringify({ Records: batch }));
  if (!outcome.ok) return 0;
  if (!reportsItemFailures || outcome.payload === undefined) return batch.length;
  const response = JSON.parse(outcome.payload) as {
    batchItemFailures?: ({ itemIdentifier?: string } | null)[] | null;
  } | null;
  const sequences = batch.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = (response?.batchItemFailures ?? []).map((one) =>
    sequences.indexOf(one?.itemIdentifier ?? ''),
  );
  // An identifier that names no record fails the batch.
  return Math.max(0, Math.min(batch.length, ...failed));
}

/** Whether records have failed for too long. Then their position goes to a queue. */
async function givesUp(
  failed: readonly StreamRecord[],
  { logicalId, functionArn, streamArn, maxAgeMs, failureArn }: StreamMappingSpec,
  { clock, sendToQueue, functions, onError }: StreamDeps,
): Promise<boolean> {
  const [first, last] = [failed[0]!, failed.at(-1)!];
  const ageMs = clock.nowMs() - last.dynamodb.ApproximateCreationDateTime * SECOND_MS;
  if (maxAgeMs === undefined || ageMs <= maxAgeMs) return false;
  onError(`[${logicalId}] ${failed.length} records of a stream were given up`);
  const from = functions.find(({ arn }) => arn === functionArn)!;
  if (failureArn !== undefined)
    await sendToQueue(
      from,
      failureArn,
      JSON.stringify({
        requestContext: { functionArn, condition: 'RecordAgeExceeded' },
        version: '1.0',
        DDBStreamBatchInfo: {
          startSequenceNumber: first.dynamodb.SequenceNumber,
          endSequenceNumber: last.dynamodb.SequenceNumber,
          batchSize: failed.length,
          streamArn,
        },
      }),
    );
  return true;
}
