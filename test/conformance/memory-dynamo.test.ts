import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, ScanCommand } from '../../lambdas/core/store/dynamo/commands';

import { EXECUTIONS_KEY } from '../../lambdas/core/contracts/tables';
import { documentsOf } from '../../lambdas/core/platform/clients';
import type { DynamoBackend } from '../support/dynamo/backend';
import { startDynalite } from '../support/dynamo/dynalite';
import { TABLES } from '../support/dynamo/memory-backend';
import { MemoryDynamo } from '../support/dynamo/memory-dynamo';
import { MemoryTables } from '../support/dynamo/memory-tables';
import { openSdkBackend } from '../support/dynamo/sdk-backend';
import { FakeRandom } from '../support/fake-random';
import { invalidCommands, retarget } from './invalid-commands';
import { type Command, key, randomCommands } from './random-commands';

/**
 * The simulation runs on the tables in memory, so they must do what DynamoDB does. The same random commands
 * go to both. Every answer, rejection and consumed unit must agree.
 */
describe('tables in memory, beside dynalite', () => {
  const COMMANDS = 600;
  let backend: DynamoBackend;
  let stop: () => Promise<void>;
  let client: DynamoDBClient;
  let dynalite: ReturnType<typeof documentsOf>;

  beforeAll(async () => {
    const server = await startDynalite();
    stop = server.stop;
    backend = await openSdkBackend('compared', server.endpoint);
    client = new DynamoDBClient({ endpoint: server.endpoint });
    dynalite = documentsOf(client);
  });

  afterAll(async () => {
    await backend.close();
    client.destroy();
    await stop();
  });

  it('answers and costs the same', async () => {
    const tables = new MemoryTables({ [backend.tables.executions]: EXECUTIONS_KEY }, { allOld: false });
    const memory = new MemoryDynamo(tables);
    const random = new FakeRandom(20_261_201);
    const table = backend.tables.executions;
    const outcomes = new Map<string, number>();

    for (let index = 0; index < COMMANDS; index++) {
      const make = random.pick(Object.values(randomCommands));
      const command = make(random, table);
      const before = tables.units();
      const [fromMemory, fromDynalite] = [
        await outcomeOf(memory, command),
        await outcomeOf(dynalite, command),
      ];
      const label = `${index}: ${command.constructor.name} ${JSON.stringify(command.input)}`;
      expect([label, fromMemory.answer]).toEqual([label, fromDynalite.answer]);
      const after = tables.units();
      const units = after.readUnits - before.readUnits + after.writeUnits - before.writeUnits;
      // dynalite counts nothing for a page without rows; AWS bills the least there is
      if (fromDynalite.units) expect([label, units]).toEqual([label, fromDynalite.units]);
      const kind = `${command.constructor.name} ${fromMemory.refusal ?? 'ok'}`;
      outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);
    }
    for (const kind of [
      'UpdateCommand ok',
      'UpdateCommand ConditionalCheckFailedException',
      'PutCommand ok',
    ]) {
      expect([kind, outcomes.get(kind) ?? 0]).toEqual([kind, expect.any(Number)]);
      expect(outcomes.get(kind) ?? 0).toBeGreaterThan(10);
    }
  });

  it.each(invalidCommands)('refuses %s, as dynalite does', async (_, command) => {
    const table = backend.tables.executions;
    const memory = new MemoryDynamo(new MemoryTables({ [table]: EXECUTIONS_KEY }));
    retarget(command, table);
    const [fromMemory, fromDynalite] = [await outcomeOf(memory, command), await outcomeOf(dynalite, command)];
    expect(fromDynalite.refusal).toBe('ValidationException');
    expect(fromMemory.refusal).toBe('ValidationException');
  });

  it('throws at syntax that it does not know, rather than guess', async () => {
    const memory = new MemoryDynamo(new MemoryTables({ [TABLES.executions]: EXECUTIONS_KEY }));
    const deleteIf = (ConditionExpression: string) =>
      memory.send(
        new DeleteCommand({ TableName: TABLES.executions, Key: key('p', 's'), ConditionExpression }),
      );
    await expect(deleteIf('attribute_type(a, b)')).rejects.toThrow(/unsupported in expression/);
    await expect(deleteIf('a <> b')).rejects.toThrow(/unsupported in expression/);
    await expect(deleteIf('a = b;')).rejects.toThrow(/unsupported in expression/);
    const transaction = { constructor: { name: 'TransactWriteCommand' }, input: {} };
    await expect(memory.send(transaction as never)).rejects.toThrow(/is not supported/);
  });

  it('returns the row of a failed condition only if configured so', async () => {
    for (const allOld of [true, false]) {
      const memory = new MemoryDynamo(new MemoryTables({ [TABLES.executions]: EXECUTIONS_KEY }, { allOld }));
      const Item = { ...key('p', 's'), n: 1, list: [null, true, { deep: 'x' }] };
      await memory.send(new PutCommand({ TableName: TABLES.executions, Item }));
      const failing = memory.send(
        new PutCommand({
          TableName: TABLES.executions,
          Item,
          ConditionExpression: 'attribute_not_exists(jobId)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      const list = { L: [{ NULL: true }, { BOOL: true }, { M: { deep: { S: 'x' } } }] };
      const row = { jobId: { S: 'p' }, execId: { S: 's' }, n: { N: '1' }, list };
      await expect(failing).rejects.toMatchObject({
        name: 'ConditionalCheckFailedException',
        $metadata: { attempts: 1 },
        Item: allOld ? row : undefined,
      });
    }
  });

  it('keeps what was written, whatever becomes of the objects that went in and came out', async () => {
    const memory = new MemoryDynamo(new MemoryTables({ [TABLES.executions]: EXECUTIONS_KEY }));
    const Item = { ...key('p', 's'), list: [{ n: 1 }] };
    await memory.send(new PutCommand({ TableName: TABLES.executions, Item }));
    Item.list[0]!.n = 2;
    const read = async () =>
      (await memory.send(new GetCommand({ TableName: TABLES.executions, Key: key('p', 's') }))).Item!;
    ((await read()).list as { n: number }[])[0]!.n = 3;
    expect((await read()).list).toEqual([{ n: 1 }]);
  });
});

type Client = { send: (command: never) => Promise<unknown> };

/** The answer without fields that only one of them has, or the error's name; and the units, if reported. */
async function outcomeOf(
  client: unknown,
  command: Command,
): Promise<{ answer: unknown; refusal?: string; units?: number }> {
  try {
    const output = (await (client as Client).send(command as never)) as Record<string, unknown>;
    const { $metadata: _metadata, ConsumedCapacity, Responses, ...answer } = output;
    if (command instanceof ScanCommand) (answer.Items as Row[]).sort(bySort); // partitions come in no order
    const capacity = [ConsumedCapacity ?? []].flat() as { CapacityUnits: number }[];
    const responses = Responses && [...Object.values(Responses as Record<string, Row[]>)[0]!].sort(bySort);
    return {
      answer: JSON.parse(JSON.stringify({ ...empty(answer), responses })) as unknown,
      units:
        capacity.length > 0 ? capacity.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0) : undefined,
    };
  } catch (error) {
    const { name } = error as Error;
    if (name !== 'ConditionalCheckFailedException' && name !== 'ValidationException') throw error;
    return { answer: name, refusal: name };
  }
}

type Row = Record<string, unknown>;

const bySort = (a: Row, b: Row): number =>
  JSON.stringify([a.jobId, a.execId]) < JSON.stringify([b.jobId, b.execId]) ? -1 : 1;

const empty = (answer: Row): Row => ({ ...answer, UnprocessedItems: undefined, UnprocessedKeys: undefined });
