import type { EndRecord, LogRecord, TableRecord } from '../log';
import { userOf } from '../story';
import {
  allowsOverlap,
  anExecution,
  beginOf,
  endOf,
  type Mutable,
  type Mutation,
  ofExecution,
  succeededOnce,
  succeededTwice,
} from './log-edits';
import { defineKeys, KEY, takeSlots } from './slots';

/** Two executions of one concurrency key run at a time. Answers with the first of them. */
function runTogether(records: Mutable): EndRecord['executions'][0] {
  const runs = endOf(records)
    .executions.filter((row) => succeededOnce(row) && row.orderingKey === undefined)
    .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
  const isNeighbour = (row: EndRecord['executions'][0], index: number) => {
    const next = runs[index + 1];
    return next !== undefined && next.jobKey !== row.jobKey && userOf(next.jobKey) === userOf(row.jobKey);
  };
  const at = runs.findIndex(isNeighbour);
  const [first, second] = [runs[at]!, runs[at + 1]!];
  takeSlots(records, first, second);
  records.findLast((record) => ofExecution(record, first))!.t = beginOf(records, second).t + 1;
  return first;
}

/** Logs in which work overlaps that must not. */
export const exclusion: readonly Mutation[] = [
  [
    'lease',
    'a call is made after its lease was taken over',
    (records) => {
      const overOf = (row: EndRecord['executions'][0]) =>
        records.find(
          (record) =>
            ofExecution(record, row) &&
            record.src === 'table' &&
            record.type === 'execution' &&
            record.execution.status === 'retrying',
        )!;
      const row = anExecution(
        records,
        (one) => succeededTwice(one) && beginOf(records, one, 2).t > overOf(one).t + 1_001,
      );
      const begin = beginOf(records, row);
      begin.t = overOf(row).t + 1_001;
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === begin.call,
      )!;
      end.t = begin.t;
    },
  ],
  [
    'fence',
    'a claim leaves a fence out',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const raise = (one: { fence: number; attempts?: { fence: number }[] }) => {
        if (one.fence === 2) one.fence = 3;
        for (const attempt of one.attempts ?? []) if (attempt.fence === 2) attempt.fence = 3;
      };
      raise(row);
      raise(beginOf(records, row, 2));
      for (const record of records) {
        if (ofExecution(record, row) && record.src === 'table' && record.type === 'execution')
          raise(record.execution);
      }
    },
  ],
  [
    'fence',
    'two fences are swapped',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const swapped = (fence: number) => (fence === 1 ? 2 : fence === 2 ? 1 : fence);
      const swap = (one: { fence: number; attempts?: { fence: number }[] }) => {
        one.fence = swapped(one.fence);
        for (const attempt of one.attempts ?? []) attempt.fence = swapped(attempt.fence);
      };
      const begins = [beginOf(records, row), beginOf(records, row, 2)];
      for (const one of [row, ...begins]) swap(one);
      for (const record of records) {
        if (ofExecution(record, row) && record.src === 'table' && record.type === 'execution')
          swap(record.execution);
      }
    },
  ],
  [
    'fence',
    'a run is added',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const begin = beginOf(records, row);
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === begin.call,
      )!;
      const again = [
        { ...begin, call: 1_000_000, t: end.t },
        { ...end, call: 1_000_000 },
      ] as LogRecord[];
      records.splice(records.indexOf(end) + 1, 0, ...again);
    },
  ],
  [
    'attempts-apart',
    'an end lies after the next begin',
    (records) => {
      const row = anExecution(records, succeededTwice);
      const { call } = beginOf(records, row);
      const end = records.find(
        (record) => record.src === 'target' && record.type === 'end' && record.call === call,
      )!;
      end.t = beginOf(records, row, 2).t + 1;
    },
  ],
  [
    'overlap',
    'an execution still runs while the next of its job is called',
    (records) => {
      const runs = endOf(records)
        .executions.filter((row) => succeededOnce(row) && !allowsOverlap(records, row.jobKey))
        .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
      const nextOf = (row: EndRecord['executions'][0]) =>
        runs.find((one, index) => index > runs.indexOf(row) && one.jobKey === row.jobKey);
      const row = runs.find((one) => nextOf(one))!;
      const last = records.findLast((record) => ofExecution(record, row))!;
      last.t = beginOf(records, nextOf(row)!).t + 1;
    },
  ],
  [
    'key-apart',
    'an execution still runs while the next of its ordering key is called',
    (records) => {
      const runs = endOf(records)
        .executions.filter((row) => row.status === 'succeeded' && row.orderingKey !== undefined)
        .sort((one, other) => beginOf(records, one).t - beginOf(records, other).t);
      const userOf = ({ jobKey }: { jobKey: string }) => jobKey.split('/')[0];
      const at = runs.findIndex(
        (row, index) =>
          runs[index + 1] !== undefined &&
          runs[index + 1]!.jobKey !== row.jobKey &&
          userOf(runs[index + 1]!) === userOf(row),
      );
      const last = records.findLast((record) => ofExecution(record, runs[at]!))!;
      last.t = beginOf(records, runs[at + 1]!).t + 1;
    },
  ],
  [
    'limit',
    'an execution still runs while another of its concurrency key is called',
    (records) => runTogether(records),
  ],
  [
    'limit',
    'two executions of a concurrency key run, which has a lower limit than its rule',
    (records) => defineKeys(records, runTogether(records), { [KEY]: { limit: 1 }, 'key.*': { limit: 5 } }),
  ],
  [
    'limit',
    'two executions of a concurrency key run, whose longest rule has a lower limit than others',
    (records) => defineKeys(records, runTogether(records), { 'key.o*': { limit: 1 }, 'key.*': { limit: 5 } }),
  ],
  [
    'key-order',
    'an execution acquires its ordering key while a ticket is ahead',
    (records) => {
      const holder = records.findLast((record) => record.src === 'table' && record.type === 'key-holder')!;
      if (holder.src !== 'table' || holder.type !== 'key-holder') return;
      const { queue, jobKey } = holder;
      const ahead = { queue, jobKey, execId: 'ahead', sort: '0', exists: true };
      const t = holder.t - 1_000_000;
      records.splice(0, 0, { n: 0, t, src: 'table', type: 'ticket', ...ahead });
    },
  ],
  [
    'circle',
    'the holder of an ordering key waits for a slot, and the holder of the slot for that key',
    (records) => {
      const [one, other] = ['alice/none-1', 'alice/none-2'].map((jobKey) => ({ jobKey, execId: 'e' }));
      const [queue, src] = ['#ordering#alice/none', 'table'] as const;
      const states: TableRecord[] = [
        { src, type: 'key-holder', queue, ...one! },
        { src, type: 'ticket', queue, sort: 'e', exists: true, ...other! },
        { src, type: 'slot', queue: '#slots#alice/none', slot: '#000', holder: other! },
        { src, type: 'slot-ticket', queue: '#slots#alice/none', exists: true, dueAtMs: 0, ...one! },
      ];
      records.splice(0, 0, ...states.map((state) => ({ n: 0, t: records[0]!.t, ...state })));
    },
  ],
  [
    'circle',
    'the first in the line for a slot waits for the lock of its job, whose holder stands behind it',
    (records) => {
      const [jobKey, src, queue] = ['alice/none-1', 'table', '#slots#alice/none'] as const;
      const states: TableRecord[] = [
        { src, type: 'overlap-lock', jobKey, lock: { holder: 'behind', waiter: 'first' } },
        { src, type: 'slot-ticket', queue, exists: true, dueAtMs: 0, jobKey, execId: 'first' },
        { src, type: 'slot-ticket', queue, exists: true, dueAtMs: 1, jobKey, execId: 'behind' },
      ];
      records.splice(0, 0, ...states.map((state) => ({ n: 0, t: records[0]!.t, ...state })));
    },
  ],
  [
    'circle',
    'two jobs are stored that need each other',
    (records) => {
      const at = records.findIndex((record) => record.src === 'table' && record.type === 'job');
      const saved = records[at]!;
      if (saved.src !== 'table' || saved.type !== 'job') return;
      const states = (['none-1', 'none-2'] as const).flatMap((jobId, index, ids): LogRecord[] => {
        const workflow = {
          version: 'v',
          number: 1,
          tasks: 1,
          bytes: 1,
          savedBy: '',
          needs: [ids[1 - index]!],
        };
        const job = { ...saved.job!, jobId, workflow };
        return [{ ...saved, t: saved.t - (1 - index) * 600_000, jobKey: `${job.userId}/${jobId}`, job }];
      });
      const removed = states.map((state) => ({ ...state, job: null }) as LogRecord);
      records.splice(at, 0, ...states, ...removed);
    },
  ],
];
