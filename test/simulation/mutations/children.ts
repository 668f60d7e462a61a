import { isRun } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { LogRecord } from '../log';
import type { Mutable, Mutation } from './log-edits';

type RowRecord = Extract<LogRecord, { type: 'execution' }>;

const isRow = (record: LogRecord): record is RowRecord =>
  record.src === 'table' && record.type === 'execution';

/** The records of a child that was called, and the end of the run above it. */
function aChild(records: Mutable): { own: RowRecord[]; end: RowRecord } {
  const rows = records.filter(isRow);
  for (const { execution } of rows) {
    const { parent, jobKey, execId } = execution;
    if (!parent || execution.status !== 'running' || isRun(execution)) continue;
    const own = rows.filter((row) => row.execution.execId === execId && row.execution.jobKey === jobKey);
    const end = rows.find(
      (row) =>
        row.execution.jobKey === parent.jobKey &&
        row.execution.execId === parent.execId &&
        isTerminal(row.execution.status),
    );
    if (end && isTerminal(own.at(-1)!.execution.status)) return { own, end };
  }
  throw new Error('the valid log has no such child');
}

/** Logs in which a child and the run above it do not belong together. */
export const children: readonly Mutation[] = [
  [
    'children',
    'a child goes on after its run has ended',
    (records) => {
      const { own, end } = aChild(records);
      const ended = own.filter(({ execution }) => isTerminal(execution.status));
      for (const record of ended) record.t = end.t + 1;
      records.sort((one, other) => one.t - other.t);
    },
  ],
  [
    'children',
    'a child begins before the run above it',
    (records) => {
      const { own } = aChild(records);
      const { parent } = own[0]!.execution;
      const run = records
        .filter(isRow)
        .filter(
          ({ execution }) => execution.execId === parent!.execId && execution.jobKey === parent!.jobKey,
        );
      own[0]!.t = run[0]!.t - 1;
      records.sort((one, other) => one.t - other.t);
    },
  ],
  [
    'children',
    'a child changes its parent',
    (records) => {
      const { own } = aChild(records);
      for (const { execution } of own.slice(1)) execution.parent!.task = 'another';
    },
  ],
];
