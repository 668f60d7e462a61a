import { jobKeyOf } from '../../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import {
  executionAttributesOf,
  executionRowKey,
} from '../../../../lambdas/core/store/dynamo/executions/execution-row';
import { follow } from '../../../../lambdas/follower/follow';
import { ExecutionStream } from '../../../support/execution-stream';
import { anExecution } from '../../../support/factories';
import { apiSurroundings } from '../../../support/surroundings';
import { type Answered, ApiWorld } from '../world';

const SECOND_MS = 1_000;

/** A deployment with the journal, whose follower the test plays. */
export class JournalWorld {
  private readonly stream: ExecutionStream = new ExecutionStream(() => this.api.clock.nowMs());
  readonly api: ApiWorld;
  /** All executions, as their rows are now. */
  readonly rows = new Map<string, Execution>();

  constructor() {
    const settings = { ...apiSurroundings.settings, journal: true };
    const onChange = ({ table, item }: { table: string; item?: object }, before?: object) => {
      if (table === 'Executions') this.stream.add(before as never, item as never);
    };
    this.api = new ApiWorld({ settings }, { onChange } as never);
  }

  put(execution: Execution): void {
    const Item = { ...executionRowKey(execution), ...executionAttributesOf(execution) };
    const defined = Object.fromEntries(Object.entries(Item).filter(([, value]) => value !== undefined));
    this.api.tables.apply('PutCommand', { TableName: 'Executions', Item: defined as never }, () => false);
    this.rows.set(`${execution.execId}#${execution.jobKey}`, execution);
  }

  /** One batch. `isKilled`: it is written, and comes again. */
  async follow(size = 1_000, isKilled = false): Promise<void> {
    const { journal, runLabels: labels, clock, log, meter } = this.api.deps;
    const changes = this.stream.oldest(size);
    const [first] = changes;
    if (first) await journal.begin('arn:stream', 0);
    await follow(changes, { journal, labels, clock, log, meter, retentionDays: 30 });
    if (!isKilled) this.stream.drop(size);
  }

  get isBehind(): boolean {
    return this.stream.length > 0;
  }

  list = (query: string): Promise<Answered> => this.api.call('GET /v1/executions', {}, undefined, { query });
}

/** An execution of alice that has ended. */
export const endOf = (jobId: string, dueAtMs: number, more: Partial<Execution> = {}): Execution =>
  anExecution({
    jobKey: jobKeyOf({ userId: 'alice', jobId }),
    dueAtMs,
    status: 'succeeded',
    finishedAtMs: dueAtMs + SECOND_MS,
    startAtMs: undefined,
    ...more,
  });
