import { execIdOfOccurrence } from '../../../lambdas/core/contracts/tables';
import type { Execution } from '../../../lambdas/core/domain/execution';
import {
  allowsOverlap,
  anExecution,
  beginOf,
  endOf,
  type Mutation,
  ofExecution,
  succeededInTime,
  succeededOnce,
  succeededTwice,
} from './log-edits';

/** Logs whose executions are wrong. */
export const executions: readonly Mutation[] = [
  [
    'lost',
    'an execution is dropped, with all its records',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const { call } = beginOf(records, row);
      const kept = records.filter(
        (record) => !ofExecution(record, row) && !(record.src === 'target' && record.call === call),
      );
      records.splice(0, records.length, ...kept);
      const end = endOf(records);
      end.executions = end.executions.filter((one) => one !== row);
    },
  ],
  [
    'unfinished',
    'a row never ends',
    (records) => {
      const row = anExecution(
        records,
        (one) =>
          succeededOnce(one) &&
          allowsOverlap(records, one.jobKey) &&
          one.dueAtMs < endOf(records).t - 620_000,
      );
      const last = records.findLastIndex((record) => ofExecution(record, row));
      records.splice(last, 1);
      Object.assign(row, { status: 'running', attempts: [], finishedAtMs: undefined });
      const { call } = beginOf(records, row);
      const end = records.findIndex(
        (record) => record.src === 'target' && record.type === 'end' && record.call === call,
      );
      records.splice(end, 1);
    },
  ],
  [
    'ghost',
    'a row is claimed for an unplanned time',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const ghost = { ...row, execId: row.execId.replace('Z', '1Z'), dueAtMs: row.dueAtMs + 1, attempts: [] };
      const ended = { ...ghost, status: 'skipped', reason: 'superseded' } as const;
      const claimAt = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claimAt]!;
      const states = [{ ...ghost, status: 'running', claimId: 'ghost' } as const, ended];
      records.splice(
        claimAt,
        0,
        ...states.map((execution) => ({ n: 0, t, src: 'table', type: 'execution', execution }) as const),
      );
      endOf(records).executions.push(ended);
    },
  ],
  [
    'one-execution',
    'an occurrence in a skipped range runs',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const fromMs = row.dueAtMs - 1;
      const range = {
        ...row,
        execId: execIdOfOccurrence(fromMs),
        dueAtMs: fromMs,
        status: 'skipped',
        reason: 'superseded',
        fence: 0,
        attempts: [],
        startedAtMs: undefined,
        skipped: { fromMs, toMs: row.dueAtMs, count: 2 },
      } as const satisfies Execution;
      const claimAt = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claimAt]!;
      records.splice(claimAt, 0, { n: 0, t, src: 'table', type: 'execution', execution: range });
      endOf(records).executions.push(range);
    },
  ],
  [
    'history',
    'a record of an attempt is removed',
    (records) => {
      anExecution(records, succeededOnce).attempts = [];
    },
  ],
  [
    'transition',
    'a terminal state changes without a user retry',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const last = records.findLastIndex((record) => ofExecution(record, row));
      const again = structuredClone(records[last]!);
      if (again.src === 'table' && again.type === 'execution') again.execution.status = 'failed';
      records.splice(last + 1, 0, again);
    },
  ],
  [
    'attempts',
    'an attempt has the wrong number',
    (records) => {
      const row = anExecution(records, succeededTwice);
      row.attempts.at(-1)!.attempt += 1;
    },
  ],
  [
    'success-kept',
    'a success is recorded as a failure',
    (records) => {
      anExecution(records, succeededOnce).attempts[0]!.outcome = 'retriable';
    },
  ],
  [
    'order',
    'an attempt ends before it began',
    (records) => {
      anExecution(records, succeededOnce).attempts[0]!.finishedAtMs -= 600_000;
    },
  ],
  [
    'reason',
    'an execution that ran in time is a misfire',
    (records) => {
      Object.assign(anExecution(records, succeededInTime), { status: 'skipped', reason: 'misfire' });
    },
  ],
];
