import { AsyncLocalStorage } from 'node:async_hooks';

import { DAY_MS } from '../../../../lambdas/core/clock/clock';
import { compactInstant, dayOf } from '../../../../lambdas/core/contracts/tables';
import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '../../../../lambdas/core/store/dynamo/commands';
import { countWritten } from '../../../../lambdas/core/store/dynamo/count-written';
import { writtenBytesOf } from '../../../../lambdas/core/store/written-bytes';
import { memoryTables, TABLES } from '../../../support/dynamo/memory-backend';
import { type Faults, MemoryDynamo } from '../../../support/dynamo/memory-dynamo';
import { FakeClock } from '../../../support/fake-clock';
import { FakeRandom } from '../../../support/fake-random';
import { memoryStores } from '../../../support/memory-stores';
import { RecordingLog } from '../../../support/recording-log';

const QUOTA = 100_000;
const KEY = { jobId: 'alice/a', execId: 'x' };
const TableName = TABLES.executions;

/** Two processes of a project's API, over the same tables. */
function deployment() {
  const tables = memoryTables();
  const clock = new FakeClock();
  const log = new RecordingLog();
  const faults: Faults = {};
  const { usage } = memoryStores(tables, { clock, random: new FakeRandom(), faults, maxAttempts: 1 });
  const aProcess = () => {
    const { documents, counting } = countWritten(new MemoryDynamo(tables));
    const written = writtenBytesOf(QUOTA, { usage, clock, log, counting });
    const send = (command: Parameters<typeof documents.send>[0]) =>
      written.during('alice', () => documents.send(command));
    const write = (bytes: number) =>
      send(new PutCommand({ TableName, Item: { ...KEY, text: 'x'.repeat(bytes) } }));
    return { send, write, written, documents };
  };
  const stored = () => usage.writtenOn('alice', dayOf(compactInstant(clock.nowMs())));
  return { clock, log, faults, tables, stored, one: aProcess(), other: aProcess() };
}

describe('the bytes that requests write', () => {
  it.each([
    ['a row', new PutCommand({ TableName, Item: { ...KEY, text: 'x'.repeat(20) } }), 62],
    [
      'the values of an update',
      new UpdateCommand({
        TableName,
        Key: KEY,
        UpdateExpression: 'SET #text = :text',
        ExpressionAttributeNames: { '#text': 'text' },
        ExpressionAttributeValues: { ':text': 'x'.repeat(20) },
      }),
      64,
    ],
    [
      'the rows of a batch',
      new BatchWriteCommand({
        RequestItems: {
          [TableName]: [
            { PutRequest: { Item: { jobId: 'alice/a', execId: '1' } } },
            { PutRequest: { Item: { jobId: 'alice/a', execId: '2' } } },
          ],
        },
      }),
      64,
    ],
    ['nothing of a read', new GetCommand({ TableName, Key: KEY }), 0],
    ['nothing of a delete', new DeleteCommand({ TableName, Key: KEY }), 0],
  ])('are those of %s', async (_, command, bytes) => {
    const { one } = deployment();
    await one.send(command);
    const { unsaved } = one.written;
    expect(unsaved('alice')).toBe(bytes);
  });

  it('are none of a write that was refused, nor of what no request of the project does', async () => {
    const { one } = deployment();
    const ConditionExpression = 'attribute_exists(jobId)';
    const refused = new PutCommand({ TableName, Item: { ...KEY, text: 'x' }, ConditionExpression });
    await expect(one.send(refused)).rejects.toThrow('conditional');
    await one.documents.send(new PutCommand({ TableName, Item: KEY }));
    expect(one.written.unsaved('alice')).toBe(0);
  });

  it('count also if the request fails after them', async () => {
    const { one } = deployment();
    const failing = one.written.during('alice', async () => {
      await one.documents.send(new PutCommand({ TableName, Item: KEY }));
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(one.written.unsaved('alice')).toBeGreaterThan(0);
  });

  it('of two requests at a time count for their own projects', async () => {
    const { one } = deployment();
    const put = (project: string, bytes: number) =>
      one.written.during(project, async () => {
        await Promise.resolve();
        await one.documents.send(new PutCommand({ TableName, Item: { ...KEY, text: 'x'.repeat(bytes) } }));
      });
    await Promise.all([put('alice', 10), put('bob', 20)]);
    expect(one.written.unsaved('bob') - one.written.unsaved('alice')).toBe(10);
  });

  it('count for the process that writes them, in work of another one', async () => {
    const { one, other } = deployment();
    await one.written.during('alice', () => other.documents.send(new PutCommand({ TableName, Item: KEY })));
    expect(one.written.unsaved('alice')).toBe(0);
  });

  it('need one storage, however many clients there are: each one slows every promise down', async () => {
    const run = jest.spyOn(AsyncLocalStorage.prototype, 'run');
    const { one, other } = deployment();
    for (const process of [one, other]) await process.write(10);
    expect(run.mock.calls).toHaveLength(2);
    expect(new Set(run.mock.contexts).size).toBe(1);
  });

  it('are saved in steps of a thousandth: hardly a request costs a write', async () => {
    const { one, stored, tables } = deployment();
    const ofJobs = () => tables.units(TABLES.jobs).writeUnits;
    await one.write(10);
    expect(ofJobs()).toBe(0);
    await one.write(100);
    expect(ofJobs()).toBeGreaterThan(0);
    expect(one.written.unsaved('alice')).toBe(0);
    expect(await stored()).toBeGreaterThan(110);
  });

  it('of other processes are known from the first question on, and from each step', async () => {
    const { one, other, stored } = deployment();
    await one.write(1_000);
    expect(await other.written.today('alice')).toBe(await stored());
    await one.write(1_000);
    expect(await other.written.today('alice')).toBeLessThan(await stored());
    await other.write(1_000);
    expect(await other.written.today('alice')).toBe(await stored());
    expect(await stored()).toBeGreaterThan(3_000);
  });

  it('begin anew with each day in UTC', async () => {
    const { one, clock, stored } = deployment();
    await one.write(1_000);
    await clock.advance(DAY_MS);
    expect(await one.written.today('alice')).toBe(0);
    await one.write(200);
    expect(await stored()).toBeLessThan(400);
  });

  it('fail no request if they cannot be saved', async () => {
    const { one, faults, log } = deployment();
    faults.before = () => {
      throw new Error('throttled');
    };
    await one.write(5_000);
    expect(log.messages('warn')).toEqual(['written bytes were not counted']);
    expect(await one.written.today('alice')).toBeGreaterThan(5_000);
  });
});
