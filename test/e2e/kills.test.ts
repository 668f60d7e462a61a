import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IS_DEEP } from '../support/deep';
import { killRounds } from './kills/kill-rounds';
import type { Delivery } from './kills/receiver';
import { broken, type JobSeen } from './kills/broken-promises';
import { wrongInJournal } from './kills/journal-of-ends';

const ROUNDS = IS_DEEP ? 50 : 5;

test(
  'workers and the whole run killed at random under load: nothing lost, no overlap, fences rise, each end once in the journal',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-kills-'));
    try {
      const report = await killRounds({ rounds: ROUNDS, seed: 2, dataDir });
      expect(report.broken).toEqual([]);
      expect(report.jobs).toBeGreaterThan(2);
      expect(report.tasks).toBeGreaterThan(0);
      expect(report.killedRuns).toBeGreaterThan(0);
      expect(report.killedWorkers).toBeGreaterThan(0);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  },
  1_000_000 + ROUNDS * 20_000,
);

describe('the check of the journal of ends', () => {
  const one = { execId: 'e', status: 'succeeded', reason: null, skipped: null, attempts: [] };
  const job: JobSeen = { jobId: 'j', planned: 1, executions: [one] };
  const listed = { jobId: 'j', execId: 'e', status: 'succeeded' };

  test.each<[string, Parameters<typeof wrongInJournal>[1], string[]]>([
    ['has each end once', [listed, { ...listed, jobId: 'another' }], []],
    ['lacks an end', [], ['j e succeeded: not in the journal']],
    ['has an end twice', [listed, listed], ['j e succeeded: 2 × in the list']],
    [
      'has an end that is none',
      [listed, { ...listed, execId: 'ghost' }],
      ['j ghost succeeded: in the journal alone'],
    ],
  ])('%s', (_, list, wrong) => expect(wrongInJournal([job], list)).toEqual(wrong));
});

describe('the check of a kill run', () => {
  const delivery: Delivery = {
    job: 'j',
    execution: 'e',
    attempt: 1,
    fence: 1,
    dueMs: 100,
    beginMs: 110,
    endMs: 120,
    answered: 503,
  };
  const second: Delivery = { ...delivery, attempt: 2, fence: 2, beginMs: 130, endMs: 140, answered: 200 };
  const attempts = [
    { attempt: 1, fence: 1, outcome: 'retriable' },
    { attempt: 2, fence: 2, outcome: 'succeeded' },
  ];
  const execution = { execId: 'e', status: 'succeeded', reason: null, skipped: null, attempts };
  const job: JobSeen = { jobId: 'j', planned: 1, executions: [execution] };

  test('finds nothing if all promises held', () => {
    expect(broken([job], [delivery, second])).toEqual([]);
  });

  test('an execution that runs in the end is one finding: its attempt is not on record yet', () => {
    const running = { ...execution, status: 'running', attempts: attempts.slice(0, 1) };
    expect(broken([{ ...job, executions: [running] }], [delivery, { ...second, endMs: undefined }])).toEqual([
      'j e: is running in the end',
    ]);
  });

  test('an entry left behind by a killed create is not an occurrence of the job', () => {
    const leftover = { ...execution, execId: 'l', status: 'skipped', reason: 'superseded', attempts: [] };
    expect(broken([{ ...job, executions: [execution, leftover] }], [delivery, second])).toEqual([]);
  });

  test.each<[string, JobSeen, Delivery[]]>([
    ['0 of 1 occurrences', { ...job, executions: [] }, []],
    ['is running in the end', { ...job, executions: [{ ...execution, status: 'running' }] }, [second]],
    ['its target never answered 200', job, [delivery]],
    ['10 ms early', job, [{ ...delivery, beginMs: 90 }, second]],
    ['fence 1 was delivered after 2', job, [second, { ...delivery, beginMs: 150, endMs: 160 }]],
    ['attempts 1 and 2 overlap', job, [{ ...delivery, endMs: 135 }, second]],
    ['attempts 1 and 2 overlap', job, [{ ...delivery, endMs: undefined }, second]],
    ['not in the history', job, [delivery, second, { ...second, fence: 3, beginMs: 150, endMs: 160 }]],
    ['delivered, but not in the history', job, [delivery, second, { ...second, execution: 'ghost' }]],
    [
      'fence 1 was delivered after 2',
      {
        jobId: 'j',
        planned: 1,
        executions: [{ ...execution, attempts: [], workflow: {} }],
        tasks: [{ ...execution, execId: 'e/task' }],
      },
      [
        { ...second, execution: 'e/task' },
        { ...delivery, execution: 'e/task', beginMs: 150, endMs: 160 },
      ],
    ],
  ])('reports: %s', (finding, seen, deliveries) => {
    expect(broken([seen], deliveries).join('\n')).toContain(finding);
  });
});
