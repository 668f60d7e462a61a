import type { Execution } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { ApiRecord, LogRecord } from '../log';
import { endOf, type Mutable, type Mutation, ofExecution } from './log-edits';

type ApiAnswer = LogRecord & ApiRecord;

const answerOf = (records: Mutable, fits: (answer: ApiAnswer) => boolean): ApiAnswer => {
  const found = records.find(
    (record): record is ApiAnswer => record.src === 'api' && record.type === 'ok' && fits(record),
  );
  if (!found) throw new Error('the valid log has no such answer');
  return found;
};

/** A delayed run that was called once, as no job of it was paused. */
const called = ({ delayedOf, fence, status, userRetries, payload }: Execution): boolean =>
  delayedOf !== undefined &&
  fence === 1 &&
  status === 'succeeded' &&
  userRetries === undefined &&
  payload !== undefined;

const aCalledRun = (records: Mutable): Execution => {
  const row = endOf(records).executions.find(called);
  if (!row) throw new Error('the valid log has no such run');
  return row;
};

/** Logs that break what is promised of delayed runs and keys. */
export const runKeys: readonly Mutation[] = [
  [
    'key-once',
    'a run is alive while another one has its key',
    (records) => {
      const at = records.findIndex(
        (record) =>
          record.src === 'table' &&
          record.type === 'execution' &&
          record.execution.key !== undefined &&
          !isTerminal(record.execution.status),
      );
      const first = records[at]!;
      if (first.src !== 'table' || first.type !== 'execution') return;
      const execId = `${first.execution.execId}x`;
      records.splice(at + 1, 0, { ...first, execution: { ...first.execution, execId } });
    },
  ],
  [
    'key-answer',
    'a cancel says that no run has the key, and one has it',
    (records) => {
      const answer = answerOf(
        records,
        ({ operation, outcome }) => operation === 'cancelKeyedRun' && outcome === 'cancelled',
      );
      answer.outcome = 'cancel-requested';
    },
  ],
  [
    'run-as-asked',
    'a run sends another payload than it was asked for',
    (records) => {
      const row = aCalledRun(records);
      for (const record of records)
        if (record.src === 'target' && record.type === 'begin' && record.execId === row.execId)
          record.stamp = 'other';
    },
  ],
  [
    'held',
    'a run is called while its job is paused',
    (records) => {
      const { jobKey, execId } = aCalledRun(records);
      const claim = records.findIndex(
        (record) => ofExecution(record, { jobKey, execId }) && fenceIn(record) === 1,
      );
      const { t } = records[claim]!;
      const version = records.findLast(
        (record, index) =>
          index < claim && record.src === 'table' && record.type === 'job' && record.jobKey === jobKey,
      )!;
      if (version.src !== 'table' || version.type !== 'job') return;
      const paused = { ...version, t: t - 1, job: { ...version.job!, status: 'paused' as const } };
      const end = records.findLastIndex((record) => ofExecution(record, { jobKey, execId }));
      records.splice(end + 1, 0, { ...version, t: records[end]!.t });
      records.splice(claim, 0, paused);
    },
  ],
];

const fenceIn = (record: LogRecord): number | undefined =>
  record.src === 'table' && record.type === 'execution' ? record.execution.fence : undefined;
