import type { InvokeOutcome } from '../../../../local/invoke/environment';
import { systemClock } from '../../../../local/machine/clock';
import { MemoryTable } from '../../../../local/services/dynamodb/engine/memory-table';
import { STREAM_KEY, TableStream } from '../../../../local/services/dynamodb/table-stream';
import { startStreamMapping } from '../../../../local/sources/stream-mapping';
import type { FunctionSpec, StreamMappingSpec, TableSpec } from '../../../../local/template/stack';
import { eventually } from '../../../support/eventually';

const SUCCESS: InvokeOutcome = { ok: true, payload: '{"batchItemFailures":[]}' };
const CRASH: InvokeOutcome = { ok: false, error: { errorType: 'Error', errorMessage: 'x', trace: [] } };
const failedFrom = (sequence: string): InvokeOutcome => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: [{ itemIdentifier: sequence }] }),
});

interface Sent {
  Records: { eventName: string; dynamodb: { SequenceNumber: string; NewImage: { id: { S: string } } } }[];
}

const SPEC = {
  name: 'Notes',
  arn: 'arn:t',
  properties: { KeySchema: [{ AttributeName: 'id' }, { AttributeName: 'at' }] },
} as unknown as TableSpec;

/** A stream of rows in status `ended`, and its reader. `answer` decides how an invocation ends. */
function followed(
  answer: (ids: string[], event: Sent) => InvokeOutcome,
  more: Partial<StreamMappingSpec> = {},
) {
  const records = new MemoryTable('Notes.stream', { ...STREAM_KEY });
  const stream = new TableStream({
    ...{ spec: SPEC, arn: 'arn:s', records, clock: systemClock, region: 'us-east-1' },
    wanted: [{ attribute: 'status', texts: ['ended'] }],
  });
  const batches: string[][] = [];
  const dead: string[] = [];
  const settings = { batchSize: 100, windowMs: 0, bisects: true, maxAgeMs: undefined, ...more };
  const mapping = startStreamMapping(
    {
      ...{ logicalId: 'M', streamArn: 'arn:s', functionArn: 'arn:f', reportsItemFailures: true },
      ...{ failureArn: 'arn:dead', wanted: [], ...settings },
    },
    stream,
    {
      clock: systemClock,
      functions: [{ arn: 'arn:f' } as FunctionSpec],
      invoke: async (_, text) => {
        const event = JSON.parse(text) as Sent;
        const ids = event.Records.map(({ dynamodb }) => dynamodb.NewImage.id.S);
        batches.push(ids);
        return answer(ids, event);
      },
      sendToQueue: async (_, arn, body) => void dead.push(`${arn} ${body}`),
      onError: () => undefined,
    },
  );
  const write = (id: string, status = 'ended') =>
    stream.add({ table: 'Notes', key: [id, '1'], item: { id, at: '1', status } }, undefined);
  const after = (count: number) =>
    eventually(
      () => batches.length,
      (length) => length >= count,
    );
  return { batches, dead, mapping, write, after, stream };
}

test('what the filter wants comes in order, and is dropped once it is done', async () => {
  const { batches, mapping, write, after, stream } = followed(() => SUCCESS, { windowMs: 50 });
  for (const id of ['a', 'b', 'c']) write(id);
  write('d', 'running');
  await after(1);
  await mapping.stop();
  expect(batches).toEqual([['a', 'b', 'c']]);
  expect(stream.size).toBe(0);
});

test('a full batch waits for no window', async () => {
  const { batches, mapping, write, after } = followed(() => SUCCESS, { batchSize: 2, windowMs: 300_000 });
  for (const id of ['a', 'b', 'c']) write(id);
  await after(1);
  await mapping.stop();
  expect(batches).toEqual([['a', 'b']]);
});

test('what comes again begins at the record that the function reports', async () => {
  let hasFailed = false;
  const { batches, mapping, write, after } = followed(
    (_, { Records }) => {
      if (hasFailed) return SUCCESS;
      hasFailed = true;
      return failedFrom(Records[1]!.dynamodb.SequenceNumber);
    },
    { windowMs: 50 },
  );
  for (const id of ['a', 'b', 'c']) write(id);
  await after(2);
  await mapping.stop();
  expect(batches).toEqual([
    ['a', 'b', 'c'],
    ['b', 'c'],
  ]);
});

test('a batch that crashes comes again in halves, and nothing overtakes it', async () => {
  let crashes = 1;
  const { batches, mapping, write, after } = followed(() => (crashes-- > 0 ? CRASH : SUCCESS), {
    windowMs: 50,
  });
  for (const id of ['a', 'b', 'c', 'd']) write(id);
  await after(3);
  await mapping.stop();
  expect(batches).toEqual([
    ['a', 'b', 'c', 'd'],
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('what fails for too long is given up: its position goes to the queue, and what follows goes on', async () => {
  const { batches, dead, mapping, write, after } = followed((ids) => (ids[0] === 'a' ? CRASH : SUCCESS), {
    maxAgeMs: -60_000,
  });
  write('a');
  await after(1);
  write('b');
  await after(2);
  await mapping.stop();
  expect(batches).toEqual([['a'], ['b']]);
  expect(dead).toEqual([expect.stringMatching(/^arn:dead .*"batchSize":1,"streamArn":"arn:s"/)]);
});
