import type { Execution } from '../../lambdas/core/domain/execution';
import { isTaskExecution } from '../../lambdas/core/domain/workflow/task-id';
import { check } from '../simulation/checker';
import type { EndRecord, LogRecord, SimulationLog } from '../simulation/log';
import type { Invariant } from '../simulation/violation';
import { recordRun } from './recorded-run/record-run';

let log: SimulationLog;
beforeAll(async () => {
  log = await recordRun();
}, 500_000);

const executionsOf = (records: readonly LogRecord[]): Execution[] =>
  (records.at(-1) as EndRecord & LogRecord).executions;
const isOfJob =
  (jobId: string) =>
  ({ jobKey }: { jobKey: string }): boolean =>
    jobKey === `alice/${jobId}`;

test('a run of the real stack whose executors are killed breaks no promise', () => {
  expect(check(log)).toEqual([]);
});

test('the run had retries, lost attempts, skips, an ordering queue, a cancel and a manual run', () => {
  const rows = executionsOf(log.records);
  const outcomes = rows.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome));
  expect(outcomes).toEqual(expect.arrayContaining(['succeeded', 'retriable', 'lost']));
  const reasons = rows.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining(['overlap', 'paused', 'deleted', 'cancelled-by-user']));
  expect(rows.find(isOfJob('daily'))).toMatchObject({ status: 'succeeded' });
  const holders = log.records.filter(({ src, type }) => src === 'table' && type === 'key-holder');
  expect(holders.length).toBeGreaterThanOrEqual(3);
});

test('runs of a workflow were under way, and ended with all of their tasks', () => {
  const rows = executionsOf(log.records).filter(isOfJob('flow'));
  const runs = rows.filter(({ run }) => run !== undefined);
  expect(runs.length).toBeGreaterThanOrEqual(3);
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'succeeded'));
  const ofTasks = rows.filter(({ execId }) => isTaskExecution(execId));
  expect(ofTasks).toHaveLength(runs.length * 5);
});

describe('the checker reports a broken log', () => {
  const ofExecution = (record: LogRecord, { jobKey, execId }: Execution): boolean => {
    if (record.src === 'table' && record.type === 'execution')
      return record.execution.jobKey === jobKey && record.execution.execId === execId;
    return (
      record.src === 'target' &&
      record.type === 'begin' &&
      record.jobKey === jobKey &&
      record.execId === execId
    );
  };
  const succeeded = (records: LogRecord[], jobId: string): Execution[] => {
    const ended = ({ status, fence }: Execution) => status === 'succeeded' && fence === 1;
    const rows = executionsOf(records).filter(isOfJob(jobId)).filter(ended);
    return rows.sort((a, b) => a.startedAtMs! - b.startedAtMs!);
  };
  const beginsOf = (records: LogRecord[], row: Execution) =>
    records.filter((record) => record.src === 'target' && ofExecution(record, row));

  const MUTATIONS: [Invariant, string, (records: LogRecord[]) => void][] = [
    [
      'lost',
      'an execution is removed, with all of its records',
      (records) => {
        const row = succeeded(records, 'steady').at(-1)!; // the first is too close to the job's creation
        const rest = records.filter((record) => !ofExecution(record, row));
        records.splice(0, records.length, ...rest);
        const rows = executionsOf(records);
        rows.splice(rows.indexOf(row), 1);
      },
    ],
    [
      'overlap',
      'a call begins before the execution that it waited for has ended',
      (records) => {
        const [before, after] = succeeded(records, 'queueing') as [Execution, Execution];
        beginsOf(records, after)[0]!.t = beginsOf(records, before)[0]!.t + 1;
      },
    ],
    [
      'attempts-apart',
      'a second call begins while the first goes on',
      (records) => {
        const [begin] = beginsOf(records, succeeded(records, 'queueing')[0]!);
        const second = { ...begin!, fence: 2, call: 1_000_000, t: begin!.t + 1 } as LogRecord;
        records.splice(records.indexOf(begin!) + 1, 0, second);
      },
    ],
    [
      'fence',
      'a fence is used a second time',
      (records) => {
        const row = executionsOf(records)
          .filter(isOfJob('flaky'))
          .find(({ fence }) => fence === 2)!;
        for (const record of records) {
          if (!ofExecution(record, row)) continue;
          if (record.src === 'table' && record.type === 'execution') record.execution.fence = 1;
          if (record.src === 'target' && record.type === 'begin') record.fence = 1;
        }
      },
    ],
  ];

  test.each(MUTATIONS)('%s: %s', (invariant, _, mutate) => {
    const records = structuredClone(log.records) as LogRecord[];
    mutate(records);
    const named = check({ ...log, records }).map((violation) => violation.invariant);
    expect(named).toContain(invariant);
  });
});
