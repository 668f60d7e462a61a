import {
  GetDurableExecutionCommand,
  GetDurableExecutionHistoryCommand,
  InvokeCommand,
  LambdaClient,
  ListDurableExecutionsByFunctionCommand,
  StopDurableExecutionCommand,
} from '@aws-sdk/client-lambda';

import { startAwsEndpoint } from '../../../../../local/services/aws-endpoint';
import { Callers } from '../../../../../local/services/callers';
import { DURABLE_FUNCTIONS } from '../../../../../local/services/durable/durable-execution';
import { durableFunctions, durableStarter } from '../../../../../local/services/durable/durable-functions';
import { ExternalResources } from '../../../../../local/services/external-resources';
import { lambdaService } from '../../../../../local/services/lambda';
import type { EndEvent } from '../../../../../local/services/step-functions/execution';
import { MachineExecutions } from '../../../../../local/services/step-functions/machine-executions';
import { parseDurableScript } from '../../../../../local/services/step-functions/scripts';

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:orders';
const LIVE = `${FUNCTION}:live`;

const events: EndEvent[] = [];
let lambda: LambdaClient;
let stop: () => Promise<void>;

beforeAll(async () => {
  const clock = { nowMs: () => Date.now() };
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  const external = new ExternalResources({ clock, newId: () => 'id', onFirst: () => undefined });
  const executions = new MachineExecutions({
    ...{ clock, newId: () => 'event', path: undefined, ways: DURABLE_FUNCTIONS },
    scripts: [parseDurableScript('*=1h,stopped')],
    publish: async (event) => void events.push(event),
  });
  const never = () => Promise.reject(new Error('no function of the stack'));
  const startDurable = durableStarter(executions, external);
  const noTables = { flushed: async () => undefined };
  const invocations = { ...noTables, invoke: never, invokeAsync: () => undefined };
  endpoint.serve(lambdaService([], { ...invocations, external, startDurable }));
  const service = durableFunctions(executions);
  endpoint.serve(service);
  const credentials = callers.issue();
  lambda = new LambdaClient({ endpoint: endpoint.url, region: 'us-east-1', credentials });
  stop = async () => {
    lambda.destroy();
    await service.stop();
    await endpoint.stop();
  };
});
afterAll(() => stop());

async function start(name: string, payload = '{"n":1}', arn = LIVE): Promise<string | undefined> {
  const { DurableExecutionArn } = await lambda.send(
    new InvokeCommand({
      FunctionName: arn,
      InvocationType: 'Event',
      DurableExecutionName: name,
      Payload: Buffer.from(payload),
    }),
  );
  return DurableExecutionArn;
}
const described = (id: string | undefined) =>
  lambda.send(new GetDurableExecutionCommand({ DurableExecutionArn: id }));

test('a name is one execution, whatever alias starts it; with another payload, it is taken', async () => {
  const id = await start('qj-1');
  expect(id).toMatch(/:function:orders:1\/durable-execution\/qj-1\/[0-9a-f]{32}$/);
  expect(await start('qj-1')).toBe(id);
  await expect(start('qj-1', '{"n":2}')).rejects.toThrow(
    expect.objectContaining({ name: 'DurableExecutionAlreadyStartedException' }),
  );
  expect(await described(id)).toMatchObject({ Status: 'RUNNING', InputPayload: '{"n":1}', Version: '1' });
});

test('a list finds it by its name, for the function and for no other', async () => {
  const id = await start('qj-2');
  const found = async (FunctionName: string) => {
    const list = { FunctionName, DurableExecutionName: 'qj-2' };
    const { DurableExecutions } = await lambda.send(new ListDurableExecutionsByFunctionCommand(list));
    return DurableExecutions!.map(({ DurableExecutionArn }) => DurableExecutionArn);
  };
  expect(await found(FUNCTION)).toEqual([id]);
  expect(await found(`${FUNCTION}-2`)).toEqual([]);
});

test('it is stopped with a reason, and its event says no more than that it was', async () => {
  const id = await start('qj-3');
  const Error = { ErrorType: 'Quarterjack', ErrorMessage: 'its time is over' };
  await lambda.send(new StopDurableExecutionCommand({ DurableExecutionArn: id, Error }));
  expect(await described(id)).toMatchObject({ Status: 'STOPPED', Error });
  expect(events).toEqual([
    expect.objectContaining({
      source: 'aws.lambda',
      'detail-type': 'Durable Execution Status Change',
      detail: {
        durableExecutionArn: id,
        durableExecutionName: 'qj-3',
        functionArn: `${FUNCTION}:1`,
        status: 'STOPPED',
        startTimestamp: expect.any(String) as string,
        endTimestamp: expect.any(String) as string,
      },
    }),
  ]);
});

test('one that is unknown is not found', async () => {
  const id = `${FUNCTION}:1/durable-execution/qj-9/0`;
  await expect(described(id)).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
});

test('its history is one wait, the newest event first, and ends with it', async () => {
  const DurableExecutionArn = await start('waits');
  const history = async () => {
    const { Events = [] } = await lambda.send(
      new GetDurableExecutionHistoryCommand({ DurableExecutionArn, ReverseOrder: true }),
    );
    return Events.map(({ EventType }) => EventType);
  };
  expect(await history()).toEqual(['WaitStarted', 'ExecutionStarted']);
  await lambda.send(new StopDurableExecutionCommand({ DurableExecutionArn }));
  expect((await history())[0]).toBe('WaitCancelled');
});
