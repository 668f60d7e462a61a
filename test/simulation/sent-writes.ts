import { parseCompactInstant, SCHEDULE_KEY } from '../../lambdas/core/contracts/tables';
import { WRITE_DEADLINE_MS } from '../../lambdas/core/domain/timing';
import type { Call } from '../support/dynamo/memory-dynamo';
import type { FakeClock } from '../support/fake-clock';
import type { EventLog, GivenUpRecord } from './log';
import type { SimNode } from './node';
import { writtenKeys } from './recorded-tables';
import { isBucketOfEntries } from './row-records';

interface Sent {
  begunMs: number;
  abortedMs?: number;
}

/** A clock is read in whole milliseconds. */
const CLOCK_MS = 1;

type Write = Pick<Call, 'command' | 'input'>;
type GivenUp = Pick<GivenUpRecord, 'by' | 'givenUpMs'>;

/**
 * The writes of one node, by the objects that describe them: all tries of a request share one. Each write
 * that lands after its stage has given it up is logged. Times are those of the observer's wall clock.
 */
export class SentWrites {
  private readonly sent = new WeakMap<object, Sent>();

  constructor(
    private readonly node: Pick<SimNode, 'name' | 'answeredMs' | 'leastAheadMs'>,
    private readonly time: Pick<FakeClock, 'nowMs'>,
    private readonly log: Pick<EventLog, 'add'>,
  ) {}

  /** A try of a write begins. */
  begins({ input, signal }: Call): void {
    const begunMs = this.time.nowMs();
    const known = this.sent.get(input);
    if (known) {
      known.begunMs = begunMs;
      return;
    }
    const sent: Sent = { begunMs };
    this.sent.set(input, sent);
    signal?.addEventListener('abort', () => void (sent.abortedMs = this.time.nowMs()), { once: true });
  }

  /** When the latest try of a write began. */
  begunMs = ({ input }: Write): number => this.sent.get(input)!.begunMs;

  /** A write has changed its rows. `begunMs`: when the try began that did. */
  landed(write: Write, begunMs: number): void {
    const givenUp = this.givenUp(write);
    if (!givenUp || givenUp.givenUpMs >= this.time.nowMs()) return;
    const { table } = writtenKeys(write.command, write.input as never)[0]!;
    const { command } = write;
    this.log.add({
      src: 'store',
      type: 'given-up',
      node: this.node.name,
      command,
      table,
      ...givenUp,
      begunMs,
    });
  }

  /** By what a write was given up first. */
  private givenUp(write: Write): GivenUp | undefined {
    let first: GivenUp | undefined;
    const times = [
      ['abort', this.sent.get(write.input)?.abortedMs],
      ['answer', this.node.answeredMs],
      ['deadline', this.deadlineMs(write)],
    ] as const;
    for (const [by, givenUpMs] of times)
      if (givenUpMs !== undefined && givenUpMs < (first?.givenUpMs ?? Number.POSITIVE_INFINITY))
        first = { by, givenUpMs };
    return first;
  }

  /** Until when the first of the entries has to be written, if the write is one of entries. */
  private deadlineMs({ command, input }: Write): number | undefined {
    if (command === 'UpdateCommand' || command === 'DeleteCommand') return undefined;
    const checks = writtenKeys(command, input as never)
      .filter(({ key }) => isBucketOfEntries(key[SCHEDULE_KEY.partition]))
      .map(({ key }) => parseCompactInstant(key[SCHEDULE_KEY.sort] as string));
    if (checks.length === 0) return undefined;
    return Math.min(...checks) + WRITE_DEADLINE_MS + CLOCK_MS - this.node.leastAheadMs;
  }
}
