import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { Elsewhere } from '../../../../local/services/external-resources';
import { lambdaService } from '../../../../local/services/lambda';
import type { FunctionSpec } from '../../../../local/template/stack';

const spec = {
  name: 'Stack-Api',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:Stack-Api',
} as FunctionSpec;

type Work = (client: LambdaClient, later: string[], elsewhere: Elsewhere) => Promise<void>;

async function withLambda(work: Work): Promise<void> {
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  const later: string[] = [];
  const elsewhere = new Elsewhere({
    clock: { nowMs: () => 0 },
    newId: () => 'id',
    onFirst: () => undefined,
  });
  endpoint.serve(
    lambdaService([spec], {
      invoke: async (arn, event) =>
        event.includes('fail')
          ? { ok: false, error: { errorType: 'Error', errorMessage: 'as asked', trace: [] } }
          : { ok: true, payload: JSON.stringify({ arn, event: JSON.parse(event) as unknown }) },
      invokeLater: (arn, event) => void later.push(`${arn} ${event}`),
      elsewhere,
    }),
  );
  const client = new LambdaClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: callers.issue(),
  });
  try {
    await work(client, later, elsewhere);
  } finally {
    client.destroy();
    await endpoint.stop();
  }
}

test.each([spec.name, spec.arn])('invokes %s and gives its answer', async (FunctionName) => {
  await withLambda(async (client) => {
    const { StatusCode, Payload, FunctionError } = await client.send(
      new InvokeCommand({ FunctionName, Payload: '{"a":1}' }),
    );
    expect([StatusCode, FunctionError]).toEqual([200, undefined]);
    expect(JSON.parse(Buffer.from(Payload!).toString())).toEqual({ arn: spec.arn, event: { a: 1 } });
  });
});

test('an error of the function is an answer that says so', async () => {
  await withLambda(async (client) => {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: spec.name, Payload: '{"fail":true}' }),
    );
    expect(FunctionError).toBe('Unhandled');
    expect(JSON.parse(Buffer.from(Payload!).toString())).toMatchObject({ errorMessage: 'as asked' });
  });
});

test('an event is taken for later', async () => {
  await withLambda(async (client, later) => {
    const { StatusCode } = await client.send(
      new InvokeCommand({ FunctionName: spec.name, InvocationType: 'Event', Payload: '{}' }),
    );
    expect([StatusCode, later]).toEqual([202, [`${spec.arn} {}`]]);
  });
});

test('a function elsewhere is not run: what it would have been given is kept', async () => {
  await withLambda(async (client, later, elsewhere) => {
    const FunctionName = 'arn:aws:lambda:us-east-1:000000000000:function:other';
    const ask = { FunctionName, Payload: '{"a":1}' };
    const { Payload, FunctionError } = await client.send(
      new InvokeCommand({ ...ask, ClientContext: 'e30=' }),
    );
    expect([Buffer.from(Payload!).toString(), FunctionError]).toEqual(['null', undefined]);
    const { StatusCode } = await client.send(new InvokeCommand({ ...ask, InvocationType: 'Event' }));
    expect(StatusCode).toBe(202);
    expect(later).toEqual([]);
    expect(elsewhere.sent().map(({ resource, request }) => ({ resource, request }))).toEqual([
      { resource: FunctionName, request: { InvocationType: 'Event', Payload: '{"a":1}' } },
      {
        resource: FunctionName,
        request: { InvocationType: 'RequestResponse', ClientContext: 'e30=', Payload: '{"a":1}' },
      },
    ]);
  });
});

test('a name that is none of the stack is not found', async () => {
  await withLambda(async (client) => {
    await expect(client.send(new InvokeCommand({ FunctionName: 'Other' }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });
});
