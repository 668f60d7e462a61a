import type { Rate } from '../../../lambdas/core/domain/start-log';
import type { EndRecord, LogRecord } from '../log';
import { userOf } from '../story';
import { anExecution, type Mutable, type Mutation, ofExecution, succeededOnce } from './log-edits';

type Row = EndRecord['executions'][0];

export const KEY = 'key.one';
const DERIVED = 'key.{{ payload.tenant }}';

/** From the beginning on, these keys and rules have limits in the project of an execution. */
export function defineKeys(
  records: Mutable,
  row: Row,
  defined: Readonly<Record<string, { limit: number; rate?: Rate }>>,
): void {
  const { t } = records[0]!;
  const userId = userOf(row.jobKey);
  const added = Object.entries(defined).map(([concurrencyKey, limits]): LogRecord => {
    const ref = { userId, concurrencyKey };
    return { n: 0, t, src: 'table', type: 'concurrency-key', ...ref, ...limits };
  });
  records.splice(0, 0, ...added);
}

/**
 * The jobs of these executions complete their concurrency key from payloads, and these take slots of `KEY`.
 * Each other execution of the jobs has a key of its own.
 */
export function takeSlots(records: Mutable, ...rows: readonly Row[]): void {
  const isOfJob = (jobKey: string) => rows.some((row) => row.jobKey === jobKey);
  for (const record of records) {
    if (record.src !== 'table') continue;
    if (record.type === 'job' && isOfJob(record.jobKey))
      Object.assign(record.job ?? {}, { concurrencyKey: DERIVED });
    if (record.type !== 'execution' || !isOfJob(record.execution.jobKey)) continue;
    const tenant = rows.some((row) => ofExecution(record, row)) ? 'one' : tenantOf(record.execution);
    const { payload, fence } = record.execution;
    record.execution.payload = { value: { ...(payload?.value as object | undefined), tenant } };
    if (fence > 0) record.execution.concurrencyKey = `key.${tenant}`;
  }
}

const tenantOf = ({ jobKey, execId }: { jobKey: string; execId: string }): string =>
  `${execId}${jobKey}`.replaceAll(/[^0-9a-z]/g, '').slice(-20);

/** Logs in which an execution has not the concurrency key that its payload completes. */
export const slots: readonly Mutation[] = [
  [
    'slot-key',
    "an execution is claimed without its job's key",
    (records) => {
      const row = anExecution(records, succeededOnce);
      takeSlots(records, row);
      for (const record of records)
        if (record.src === 'table' && record.type === 'execution' && ofExecution(record, row))
          record.execution.concurrencyKey = undefined;
    },
  ],
  [
    'slot-key',
    "the job's payload completes the key of an execution that has one of its own",
    (records) => {
      const row = anExecution(records, succeededOnce);
      takeSlots(records, row);
      for (const record of records)
        if (record.src === 'table' && record.type === 'execution' && ofExecution(record, row))
          record.execution.payload = { value: { tenant: 'two' } };
    },
  ],
];
