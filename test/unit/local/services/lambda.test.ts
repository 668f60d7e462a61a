import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';

import { startAwsEndpoint } from '../../../../local/services/aws-endpoint';
import { Callers } from '../../../../local/services/callers';
import { ExternalResources } from '../../../../local/services/external-resources';
import { lambdaService } from '../../../../local/services/lambda';
import type { FunctionSpec } from '../../../../local/template/stack';

const spec = {
  name: 'Stack-Api',
  arn: 'arn:aws:lambda:us-east-1:000000000000:function:Stack-Api',
} as FunctionSpec;

let disk = Promise.resolve();

type Work = (client: LambdaClient, queued: string[], external: ExternalResources) => Promise<void>;

async function withLambda(work: Work): Promise<void> {
  const callers = new Callers();
  const endpoint = await startAwsEndpoint(callers, () => undefined);
  const queued: string[] = [];
  const external = new ExternalResources({
    clock: { nowMs: () => 0 },
    newId: () => 'id',
    onFirst: () => undefined,
  });
  endpoint.serve(
    lambdaService([spec], {
      invoke: async (arn, event) =>
        event.includes('fail')
          ? { ok: false, error: { errorType: 'Error', errorMessage: 'requested', trace: [] } }
          : { ok: true, payload: JSON.stringify({ arn, event: JSON.parse(event) as unknown }) },
      invokeAsync: (arn, event) => void queued.push(`${arn} ${event}`),
      flushed: () => disk,
      external,
      startDurable: () => ({ status: 500, headers: {}, body: '' }),
    }),
  );
  const client = new LambdaClient({
    endpoint: endpoint.url,
    region: 'us-east-1',
    credentials: callers.issue(),
  });
  try {
    await work(client, queued, external);
  } finally {
    client.destroy();
    await endpoint.stop();
  }
}

test.each([spec.name, spec.arn, `${spec.arn}:$LATEST`])(
  'invokes %s and returns its result',
  async (FunctionName) => {
    await withLambda(async (client) => {
      const { StatusCode, Payload, FunctionError } = await client.send(
        new InvokeCommand({ FunctionName, Payload: '{"a":1}' }),
      );
      expect([StatusCode, FunctionError]).toEqual([200, undefined]);
      expect(JSON.parse(Buffer.from(Payload!).toString())).toEqual({ arn: spec.arn, event: { a: 1 } });
    });
  },
);

test('an error of the function is a response with FunctionError', async () => {
  await withLambda(async (client) => {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: spec.name, Payload: '{"fail":true}' }),
    );
    expect(FunctionError).toBe('Unhandled');
    expect(JSON.parse(Buffer.from(Payload!).toString())).toMatchObject({ errorMessage: 'requested' });
  });
});

test('an event is accepted and invoked asynchronously', async () => {
  await withLambda(async (client, queued) => {
    const { StatusCode } = await client.send(
      new InvokeCommand({ FunctionName: spec.name, InvocationType: 'Event', Payload: '{}' }),
    );
    expect([StatusCode, queued]).toEqual([202, [`${spec.arn} {}`]]);
  });
});

const OTHER = 'arn:aws:lambda:us-east-1:000000000000:function:other';

test.each([OTHER, `${OTHER}:live`, `${OTHER}:$LATEST`])(
  '%s is not run; its request is recorded',
  async (FunctionName) => {
    await withLambda(async (client, queued, external) => {
      const input = { FunctionName, Payload: '{"a":1}' };
      const { Payload, FunctionError } = await client.send(
        new InvokeCommand({ ...input, ClientContext: 'e30=' }),
      );
      expect([Buffer.from(Payload!).toString(), FunctionError]).toEqual(['null', undefined]);
      const { StatusCode } = await client.send(new InvokeCommand({ ...input, InvocationType: 'Event' }));
      expect(StatusCode).toBe(202);
      expect(queued).toEqual([]);
      expect(external.sent().map(({ resource, request }) => ({ resource, request }))).toEqual([
        { resource: FunctionName, request: { InvocationType: 'Event', Payload: '{"a":1}' } },
        {
          resource: FunctionName,
          request: { InvocationType: 'RequestResponse', ClientContext: 'e30=', Payload: '{"a":1}' },
        },
      ]);
    });
  },
);

test.each(['Other', `${spec.arn}:live`])('%s is not found', async (FunctionName) => {
  await withLambda(async (client, _, external) => {
    await expect(client.send(new InvokeCommand({ FunctionName }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
    expect(external.sent()).toEqual([]);
  });
});

test('the policies of the caller are asked about the ARN as it is given', () => {
  const service = lambdaService([spec], {} as never);
  const resourceOf = (nameOrArn: string) => {
    const path = `/2015-03-31/functions/${encodeURIComponent(nameOrArn)}/invocations`;
    return service.permissions({ path } as never)[0]!.resource;
  };
  for (const arn of [spec.arn, `${spec.arn}:$LATEST`, `${spec.arn}:live`, `${OTHER}:7`])
    expect(resourceOf(arn)).toBe(arn);
  expect(resourceOf(spec.name)).toBe(spec.arn);
});

test('the result of a function waits for the disk: the function may be one that did not', async () => {
  const log: string[] = [];
  let sync = (): void => undefined;
  disk = new Promise((resolve) => (sync = resolve));
  const service = lambdaService([spec], {
    invoke: async () => {
      log.push('invoked');
      setImmediate(() => setImmediate(() => (log.push('synced'), sync())));
      return { ok: true, payload: 'null' };
    },
    flushed: () => disk,
  } as never);
  await service.call({
    path: `/2015-03-31/functions/${spec.name}/invocations`,
    headers: {},
    body: '',
  } as never);
  log.push('answered');
  disk = Promise.resolve();
  expect(log).toEqual(['invoked', 'synced', 'answered']);
});
