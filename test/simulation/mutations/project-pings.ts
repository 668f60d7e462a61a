import { expectationIn } from '../../../lambdas/core/domain/expectation';
import type { Execution } from '../../../lambdas/core/domain/execution';
import type { Job } from '../../../lambdas/core/domain/job';
import type { LogRecord } from '../log';
import type { ProjectKeyRecord } from '../pinged';
import { endOf, type Mutable, type Mutation } from './log-edits';

type Found = Mutable[0];

/** Removes the records that are so. Throws if there is none. */
function remove(records: Mutable, is: (record: Found) => boolean): void {
  const kept = records.filter((record) => !is(record));
  if (kept.length === records.length) throw new Error('the valid log has no such record');
  records.splice(0, records.length, ...kept);
}

const isOfKey = (record: LogRecord): record is LogRecord & ProjectKeyRecord =>
  record.src === 'table' && record.type === 'project-key';
const isProvision = (record: LogRecord): record is LogRecord & { operation: string; jobKey: string } =>
  record.src === 'api' && record.operation === 'provisionMonitor';

/** The jobs that a key has made, as they were written first. */
const madeIn = (records: Mutable): Job[] =>
  records.flatMap((one) =>
    one.src === 'table' && one.type === 'job' && one.job?.by?.via.startsWith('key:') ? [one.job] : [],
  );

/** The first write that leaves an execution so. */
function leftBy(records: Mutable, is: (row: Execution) => boolean) {
  for (const record of records)
    if (record.src === 'table' && record.type === 'execution' && is(record.execution)) {
      return { record, execution: record.execution };
    }
  throw new Error('the valid log has no such execution');
}

function endedIn(records: Mutable, is: (row: Execution) => boolean): Execution {
  const row = endOf(records).executions.find(is);
  if (!row) throw new Error('the valid log has no such execution');
  return row;
}

/** Logs that break what is promised of pings by the URL of a project, and of durations by pings. */
export const projectPings: readonly Mutation[] = [
  [
    'ghost',
    'one ping ends two executions',
    (records) => {
      const { record, execution } = leftBy(records, ({ ping }) => ping !== undefined);
      const again = Array.from({ length: 9 }, (_, index): Found => ({
        ...record,
        execution: { ...execution, execId: `${execution.execId}${index}` },
      }));
      records.splice(-1, 0, ...again);
    },
  ],
  [
    'ghost',
    'a monitor has run since before its ping',
    (records) => {
      const { execution } = leftBy(records, ({ ping }) => ping?.durationMs !== undefined);
      const { ping } = execution;
      execution.ping = { ...ping!, durationMs: ping!.durationMs! + 3_600_000 };
    },
  ],
  [
    'ghost',
    'a ping counts by the URL of a project that has ended',
    (records) => {
      remove(records, isProvision);
      for (const record of records) if (isOfKey(record)) record.key = null;
    },
  ],
  [
    'ghost',
    'a ping makes a monitor where the key does not allow it',
    (records) => {
      for (const record of records) if (isOfKey(record) && record.key) record.key.allowCreate = false;
    },
  ],
  ['ghost', 'a monitor is made for which no ping asked', (records) => remove(records, isProvision)],
  [
    'quota',
    'a monitor is made that is not charged',
    (records) => remove(records, ({ src }) => src === 'quota'),
  ],
  [
    'quota',
    'a key counts fewer monitors than it makes',
    (records) => {
      for (const record of records) if (isOfKey(record)) record.key = { allowCreate: true, made: 0 };
    },
  ],
  [
    'reason',
    'a monitor is made that need never succeed',
    (records) => {
      for (const job of madeIn(records)) delete job.expectEvery;
    },
  ],
  [
    'future-entry',
    'nothing asks whether a monitor has succeeded',
    (records) => {
      const end = endOf(records);
      end.entries = end.entries.filter((entry) => !expectationIn(entry));
    },
  ],
  [
    'acknowledged',
    'the API has confirmed a monitor that is not there',
    (records) => {
      for (const record of records) if (isProvision(record)) record.jobKey = 'alice/none';
    },
  ],
  [
    'notification',
    'a success by pings took too long, and is not slow',
    (records) => {
      delete endedIn(records, ({ ping, pace }) => ping !== undefined && pace === 'slow').pace;
    },
  ],
  [
    'notification',
    'a success by pings is quick within its bounds',
    (records) => {
      endedIn(
        records,
        ({ ping, pace, status }) => ping?.durationMs !== undefined && status === 'succeeded' && !pace,
      ).pace = 'quick';
    },
  ],
];
