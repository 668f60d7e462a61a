import type { Run } from '../../../lambdas/core/domain/execution';
import { isRun } from '../../../lambdas/core/domain/execution';
import { isTerminal } from '../../../lambdas/core/domain/transitions';
import type { Workflow } from '../../../lambdas/core/domain/workflow/definition';
import { isItemExecution, runOf } from '../../../lambdas/core/domain/workflow/task-id';
import type { LogRecord } from '../log';
import { isTask } from '../story';
import type { Mutable, Mutation } from './log-edits';

type RowRecord = Extract<LogRecord, { type: 'execution' }>;
type RunRecord = RowRecord & { execution: Run };

const isRow = (record: LogRecord): record is RowRecord =>
  record.src === 'table' && record.type === 'execution';
const isOfRun = (record: LogRecord): record is RunRecord => isRow(record) && isRun(record.execution);

const HOUR_MS = 3_600_000;

/** The records of each row, in order. */
function grouped<One extends RowRecord>(records: readonly One[]): One[][] {
  const groups = new Map<string, One[]>();
  for (const record of records) {
    const { jobKey, execId } = record.execution;
    const group = groups.get(`${jobKey}#${execId}`) ?? [];
    groups.set(`${jobKey}#${execId}`, [...group, record]);
  }
  return [...groups.values()];
}

/** The records of a run that succeeded, after at least three marks at different times. */
function aRun(records: Mutable): readonly RunRecord[] {
  const byRow = grouped(records.filter(isOfRun));
  for (const own of byRow) {
    const marks = new Map(own.map(({ t, execution }) => [t, Object.keys(execution.run.marks).length]));
    const last = own.at(-1)!;
    if (last.execution.status === 'succeeded' && new Set(marks.values()).size > 3) return own;
  }
  throw new Error('the valid log has no such run');
}

/** The records of the tasks of a run, task by task, without items. */
const tasksOf = (records: Mutable, { execution }: RunRecord): readonly RowRecord[][] =>
  grouped(
    records
      .filter(isRow)
      .filter(
        ({ execution: { jobKey, execId } }) =>
          jobKey === execution.jobKey &&
          isTask(execId) &&
          !isItemExecution(execId) &&
          runOf(execId) === execution.execId,
      ),
  );

/** The tasks that were called, by their end. */
const byEnd = (records: Mutable, run: RunRecord) =>
  tasksOf(records, run)
    .filter((own) => own.some(({ execution }) => execution.status === 'running'))
    .map((own) => ({ own, end: own.find(({ execution }) => isTerminal(execution.status))! }))
    .sort((one, other) => one.end.t - other.end.t);

/** The claim of the task that ended last, and its call. */
function lastCall(records: Mutable, run: RunRecord) {
  const claim = byEnd(records, run)
    .at(-1)!
    .own.find(({ execution }) => execution.status === 'running')!;
  const call = records.find(
    (record) =>
      record.src === 'target' && record.type === 'begin' && record.execId === claim.execution.execId,
  )!;
  return { claim, call };
}

/** Logs in which a run of a workflow and its tasks do not belong together. */
export const runs: readonly Mutation[] = [
  [
    'ends-once',
    'a run ends a second time',
    (records) => {
      const end = aRun(records).at(-1)!;
      const again = structuredClone(end);
      again.execution.finishedAtMs! += 1;
      records.splice(records.indexOf(end) + 1, 0, again);
    },
  ],
  [
    'mark-says-row',
    'a task has its mark before its end',
    (records) => {
      const run = aRun(records);
      const { own, end } = byEnd(records, run[0]!)[0]!;
      const marked = run.find(
        ({ t, execution }) => t >= end.t && Object.keys(execution.run.marks).length > 0,
      )!;
      for (const record of own.slice(own.indexOf(end))) record.t = marked.t + 1;
    },
  ],
  [
    'monotone',
    'the mark of a task is gone for a moment',
    (records) => {
      const marked = aRun(records).find(({ execution }) => Object.keys(execution.run.marks).length > 1)!;
      const without = structuredClone(marked);
      delete without.execution.run.marks[Object.keys(without.execution.run.marks)[0]!];
      records.splice(records.indexOf(marked) + 1, 0, without, structuredClone(marked));
    },
  ],
  [
    'none-outlives',
    'a run ends before its last task',
    (records) => {
      const end = aRun(records).at(-1)!;
      end.t = byEnd(records, end).at(-1)!.end.t - 1;
    },
  ],
  [
    'not-before',
    'a task is called before what it depends on has ended',
    (records) => {
      const [start] = aRun(records);
      const { claim, call } = lastCall(records, start!);
      claim.t = start!.t;
      call.t = start!.t;
    },
  ],
  [
    'not-before',
    'a task is called before its delay is over',
    (records) => {
      const waits = records
        .filter(isRow)
        .find(
          ({ execution }) =>
            isTask(execution.execId) && execution.status === 'queued' && execution.startAtMs !== undefined,
        )!;
      const own = records
        .filter(isRow)
        .filter(
          ({ execution: { jobKey, execId } }) =>
            jobKey === waits.execution.jobKey && execId === waits.execution.execId,
        );
      const call = records.find(
        (record) =>
          record.src === 'target' && record.type === 'begin' && record.execId === waits.execution.execId,
      )!;
      own.find(({ execution }) => execution.status === 'running')!.t = waits.t;
      call.t = waits.t;
    },
  ],
  [
    'stopped',
    'a task is called after its run was stopped',
    (records) => {
      const run = aRun(records);
      const { claim } = lastCall(records, run[0]!);
      const before = run.findLastIndex((record) => record.t <= claim.t);
      for (const { execution } of run.slice(before)) {
        execution.run.stop = { why: 'cancelled-by-user', atMs: claim.t, open: '' };
        if (isTerminal(execution.status))
          Object.assign(execution, { status: 'cancelled', reason: 'cancelled-by-user' });
      }
    },
  ],
  [
    'stopped',
    'a task is called after its run was paused',
    (records) => {
      const run = aRun(records);
      const { claim } = lastCall(records, run[0]!);
      const before = run.findLastIndex((record) => record.t <= claim.t);
      for (const { execution } of run.slice(before)) execution.run.heldAtMs = claim.t;
    },
  ],
  [
    'run-ends',
    'a run is never over',
    (records) => {
      const run = aRun(records);
      for (const record of run) {
        record.execution.run.endsAtMs = record.execution.run.startedAtMs - 24 * HOUR_MS;
        if (isTerminal(record.execution.status)) records.splice(records.indexOf(record), 1);
      }
    },
  ],
  [
    'once-a-round',
    'a task ends a second time in its round',
    (records) => {
      const { own, end } = byEnd(records, aRun(records)[0]!)[0]!;
      const again = structuredClone(end);
      again.execution.finishedAtMs! += 1;
      records.splice(records.indexOf(own.at(-1)!) + 1, 0, again);
    },
  ],
  [
    'same-version',
    'a run goes on with another version',
    (records) => {
      const run = aRun(records);
      const other = records.find(
        (record) =>
          record.src === 'table' &&
          record.type === 'flow' &&
          record.version === run[0]!.execution.run.version,
      );
      const copy = structuredClone(other) as Extract<LogRecord, { type: 'flow' }>;
      records.splice(0, 0, { ...copy, t: records[0]!.t, version: 'another' } as LogRecord);
      for (const record of run.slice(1)) record.execution.run.version = 'another';
    },
  ],
  [
    'window',
    'an item begins although the window has no room',
    (records) => {
      const isItem = (record: LogRecord): record is RowRecord =>
        isRow(record) && isItemExecution(record.execution.execId);
      const claims = records.filter(isItem).filter(({ execution }) => execution.status === 'running');
      const flows = records.filter((record) => record.src === 'table' && record.type === 'flow');
      for (const flow of flows)
        for (const task of Object.values((flow as { workflow: Workflow }).workflow.tasks))
          if (task.forEach) Object.assign(task.forEach, { concurrency: 0 });
      if (claims.length === 0) throw new Error('the valid log has no item');
    },
  ],
];
