import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';

import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { ExternalResources } from '../../../../local/services/external-resources';
import { eventBridge } from '../../../../local/services/event-bridge';

const BUS = { logicalId: 'Bus', name: 'bus', arn: 'arn:aws:events:us-east-1:000000000000:event-bus/bus' };
const EXTERNAL = 'arn:aws:events:us-east-1:000000000000:event-bus/other';
const clock = { nowMs: () => 0 };
const newId = () => 'id';

function start() {
  const external = new ExternalResources({ clock, newId, onFirst: () => undefined });
  const aws = { region: 'us-east-1', accountId: '000000000000' };
  return { external, service: eventBridge([BUS], { aws, clock, newId, external }) };
}

test('keeps the events on buses of the stack, and reports the rejected ones', async () => {
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  const { service, external } = start();
  endpoint.serve(service);
  const client = new EventBridgeClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: callers.issue(),
  });
  const entry = {
    EventBusName: 'bus',
    Source: 's',
    DetailType: 't',
    Detail: '{"a":1}',
    Time: new Date(1_000),
  };
  try {
    const response = await client.send(
      new PutEventsCommand({
        Entries: [entry, { ...entry, EventBusName: 'other' }, { ...entry, Detail: '7' }],
      }),
    );
    expect(response.FailedEntryCount).toBe(1);
    expect(response.Entries?.map(({ EventId, ErrorCode }) => EventId ?? ErrorCode)).toEqual([
      'id',
      'id',
      'MalformedDetail',
    ]);
    expect(service.received()).toEqual([
      { bus: 'bus', source: 's', detailType: 't', time: '1970-01-01T00:00:01.000Z', detail: { a: 1 } },
    ]);
    expect(external.sent()).toEqual([
      {
        resource: EXTERNAL,
        time: '1970-01-01T00:00:00.000Z',
        request: expect.objectContaining({ Source: 's' }),
      },
    ]);
    await expect(client.send(new PutEventsCommand({ Entries: [] }))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  } finally {
    client.destroy();
    await endpoint.stop();
  }
});

test.each([
  ['', 'ValidationException'],
  ['{}', 'ValidationException'],
  ['{"Entries":7}', 'SerializationException'],
  ['null', 'SerializationException'],
  ['{', 'SerializationException'],
])('a request with the body %j is a client error', async (body, type) => {
  const { service } = start();
  const call = { action: 'PutEvents', body } as never;
  expect(service.permissions(call)).toEqual([{ action: 'events:PutEvents', resource: BUS.arn }]);
  const reply = await service.call(call);
  expect([reply.status, reply.headers['x-amzn-errortype']]).toEqual([400, type]);
  expect(service.received()).toEqual([]);
});

test('needs permission for each named bus, by its ARN', () => {
  const { service } = start();
  const names = ['bus', BUS.arn, 'other', EXTERNAL];
  const body = JSON.stringify({ Entries: names.map((EventBusName) => ({ EventBusName })) });
  expect(service.permissions({ action: 'PutEvents', body } as never)).toEqual([
    { action: 'events:PutEvents', resource: BUS.arn },
    { action: 'events:PutEvents', resource: EXTERNAL },
  ]);
});
