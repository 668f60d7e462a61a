import { TERMINAL_STATUSES } from '../../lambdas/core/contracts/execution-statuses';
import { changeIn } from '../../lambdas/core/store/dynamo/executions/change-in-record';
import type { ExecutionChange } from '../../lambdas/core/store/execution-stream';
import { attributesOf } from '../../local/services/dynamodb/engine/attributes';
import type { Item } from '../../local/services/dynamodb/engine/paths';
import type { OnChange } from '../../local/services/dynamodb/engine/rows';
import { TABLES } from './dynamo/memory-backend';

const SECOND_MS = 1_000;
const DIGITS = 12;

/**
 * The stream of Executions in memory, in one shard. It has what the filter of the event source lets through:
 * changes after which an execution has ended.
 */
export class ExecutionStream {
  private readonly records: { change: ExecutionChange | undefined; sequence: string }[] = [];
  private count = 0;

  constructor(private readonly nowMs: () => number) {}

  /** Takes what changes in the tables. */
  readonly onChange: OnChange = ({ table, item }, before) => {
    if (table === TABLES.executions) this.add(before, item);
  };

  /** Takes a change of a row. */
  add(before: Item | undefined, after: Item | undefined): void {
    if (!after || before === after || !(TERMINAL_STATUSES as readonly unknown[]).includes(after.status))
      return;
    const sequence = String(++this.count).padStart(DIGITS, '0');
    const change = changeIn({
      eventID: `event-${sequence}`,
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(this.nowMs() / SECOND_MS),
        SequenceNumber: sequence,
        NewImage: attributesOf(after),
        ...(before && { OldImage: attributesOf(before) }),
      },
    });
    this.records.push({ change, sequence });
  }

  get length(): number {
    return this.records.length;
  }

  /** The oldest changes, at most so many. */
  oldest(most: number): ExecutionChange[] {
    return this.records.slice(0, most).flatMap(({ change }) => change ?? []);
  }

  /** Drops the oldest records: all `before` a sequence number, or `count` of them. */
  drop(count: number, before?: string): void {
    const at = before === undefined ? -1 : this.records.findIndex(({ sequence }) => sequence === before);
    this.records.splice(0, at < 0 ? count : at);
  }
}
