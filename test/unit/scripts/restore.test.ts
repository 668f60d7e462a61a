import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';

import {
  JOBS_KEY,
  MAINTENANCE_KEY,
  overlapLockSortOf,
  SCHEDULE_KEY,
} from '../../../lambdas/core/contracts/tables';
import { checkStopped, staysIn, tablesOf, timeOf } from '../../../scripts/restore/plan';
import { UsageError } from '../../../scripts/command';
import { restoreTable } from '../../../scripts/restore/point-in-time';
import { mockedClient } from '../../support/mocked-client';

const TO = new Date('2026-11-22T09:59:59Z');
const RESTORED = 'Jobs-at-20261122T095959Z';
const dynamo = mockedClient(DynamoDBClient);
const missing = Object.assign(new Error('no such table'), { name: 'ResourceNotFoundException' });
const kept = (from: string, until: string) =>
  dynamo.on(DescribeContinuousBackupsCommand).resolves({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: {
        PointInTimeRecoveryStatus: 'ENABLED',
        EarliestRestorableDateTime: new Date(from),
        LatestRestorableDateTime: new Date(until),
      },
    },
  });
const statuses = (...all: ('CREATING' | 'ACTIVE')[]) =>
  all.reduce(
    (on, TableStatus) => on.resolvesOnce({ Table: { TableStatus } }),
    dynamo.on(DescribeTableCommand).rejectsOnce(missing),
  );
const restore = () => restoreTable(new DynamoDBClient({}), { table: 'Jobs', to: TO }, async () => undefined);
beforeEach(() => dynamo.reset());

describe('a table as it was', () => {
  test('is made beside the table, and waited for', async () => {
    kept('2026-11-01T00:00:00Z', '2026-11-22T11:00:00Z');
    statuses('CREATING', 'CREATING', 'ACTIVE');
    expect(await restore()).toBe(RESTORED);
    expect(dynamo.commandCalls(RestoreTableToPointInTimeCommand).map(({ args }) => args[0].input)).toEqual([
      { SourceTableName: 'Jobs', TargetTableName: RESTORED, RestoreDateTime: TO },
    ]);
  });

  test('is made once: a repeated call continues', async () => {
    dynamo.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } });
    expect(await restore()).toBe(RESTORED);
    expect(dynamo.commandCalls(RestoreTableToPointInTimeCommand)).toEqual([]);
  });

  test('cannot be of a time that DynamoDB does not keep', async () => {
    kept('2026-11-22T10:00:00Z', '2026-11-22T11:00:00Z');
    statuses();
    await expect(restore()).rejects.toThrow(
      '--to is 2026-11-22T09:59:59.000Z; expected a time from 2026-11-22T10:00:00.000Z to 2026-11-22T11:00:00.000Z',
    );
    expect(dynamo.commandCalls(RestoreTableToPointInTimeCommand)).toEqual([]);
  });
});

test.each(['yesterday', '2026-11-22', '2026-11-22T09:59:59', '2027-01-01T00:00:00Z', undefined])(
  'the time %j is refused',
  (text) => {
    expect(() => timeOf(text, TO.getTime())).toThrow('expected a time in the past with its offset');
  },
);

test('Schedule is restored with the other tables alone', () => {
  expect(tablesOf(undefined)).toEqual(['jobs', 'executions', 'schedule']);
  expect(tablesOf('jobs')).toEqual(['jobs']);
  expect(() => tablesOf('schedule')).toThrow('expected all three tables');
  expect(() => tablesOf('schedule,jobs')).toThrow('names jobs and schedule; expected all three tables');
  expect(() => tablesOf('executions,jobs')).toThrow('or jobs or executions alone');
  expect(() => tablesOf('job')).toThrow('--tables names "job"; expected jobs, executions, schedule');
});

test('overlap locks go back with Executions alone', () => {
  const lock = { [JOBS_KEY.partition]: 'alice', [JOBS_KEY.sort]: overlapLockSortOf('backup') };
  const job = { ...lock, [JOBS_KEY.sort]: 'backup' };
  expect(staysIn('jobs', ['jobs'])(lock)).toBe(true);
  expect(staysIn('jobs', ['jobs'])(job)).toBe(false);
  expect(staysIn('jobs', tablesOf(undefined))(lock)).toBe(false);
});

test('maintenance mode stays', () => {
  const stays = staysIn('schedule', tablesOf(undefined));
  expect(stays({ [SCHEDULE_KEY.partition]: MAINTENANCE_KEY, [SCHEDULE_KEY.sort]: '#' })).toBe(true);
  expect(stays({ [SCHEDULE_KEY.partition]: '#shards', [SCHEDULE_KEY.sort]: '#' })).toBe(false);
});

test('rows are replaced in maintenance mode alone, and once all messages have arrived', () => {
  const at = { horizonSec: 180, nowMs: 1_000_000 };
  expect(() => checkStopped(undefined, at)).toThrow(UsageError);
  expect(() => checkStopped({ sinceMs: 700_000 }, at)).toThrow('try again in 60 s');
  expect(() => checkStopped({ sinceMs: 640_000 }, at)).not.toThrow();
});
