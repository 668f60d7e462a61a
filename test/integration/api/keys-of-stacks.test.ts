import type { LambdaClient } from '@aws-sdk/client-lambda';

import { handleRequest } from '../../../lambdas/api/handle-request';
import { type HttpEvent, requestOf, resultOf } from '../../../lambdas/api/http/http-event';
import { authorize } from '../../../lambdas/authorizer/authorize';
import { verifyKey } from '../../../lambdas/core/api-keys/verify-key';
import {
  JOB_RESOURCE,
  KEY_RESOURCE,
  type KeyProperties,
} from '../../../lambdas/core/contracts/custom-resources';
import { apiInvoker } from '../../../lambdas/core/platform/api-function';
import { ownerOf } from '../../../lambdas/provider/project-api';
import { provide } from '../../../lambdas/provider/provide';
import type { StackEvent } from '../../../lambdas/provider/stack-event';
import { aBody, ApiWorld } from '../../unit/api/world';

/** A deployment whose provider, authorizer and API share their tables, as functions in AWS do. */
class StackWorld extends ApiWorld {
  readonly secrets = new Map<string, string>();

  private async answer(event: HttpEvent) {
    return resultOf(await handleRequest(requestOf(event)!, this.deps));
  }

  /** What CloudFormation asks for, as the provider does it: by an invocation of the API's function. */
  async ask(event: Partial<StackEvent>) {
    const send = async ({ input }: { input: { Payload: string } }) => ({
      Payload: Buffer.from(JSON.stringify(await this.answer(JSON.parse(input.Payload) as HttpEvent))),
    });
    const client = { send } as unknown as Pick<LambdaClient, 'send'>;
    return provide(
      {
        StackId: 'stack',
        RequestId: 'request-1',
        LogicalResourceId: 'Resource',
        ResponseURL: '',
        RequestType: 'Create',
        ResourceType: KEY_RESOURCE,
        ResourceProperties: keyOf({}),
        ...event,
      },
      {
        api: (project, call) => apiInvoker('api', ownerOf(project), client)(call),
        putSecret: async (arn, value) => void this.secrets.set(arn, value),
        readManifest: () => Promise.reject(new Error('there is none')),
        clock: this.clock,
        log: this.log,
      },
    );
  }

  /** A request with a key, as API Gateway passes it: first to the authorizer, then to the API. */
  async request(key: string, routeKey: string, params: Record<string, string> = {}, body?: object) {
    const event = { identitySource: [`Bearer ${key}`] };
    const { context } = await authorize(event, {
      verifyKey: (text) => verifyKey(text, this.deps),
    } as Parameters<typeof authorize>[1]);
    const { statusCode, body: text } = await this.answer({
      routeKey,
      pathParameters: params,
      headers: {},
      ...(body && { body: JSON.stringify(body) }),
      requestContext: { requestId: 'request-2', authorizer: { lambda: { ...context } } },
    });
    return { status: statusCode, body: JSON.parse(text ?? 'null') as Record<string, unknown> };
  }

  get key(): string {
    return this.secrets.get(keyOf({}).SecretArn)!;
  }
}

const keyOf = (more: Partial<KeyProperties>) => ({
  Project: 'app',
  Role: 'editor' as const,
  Name: 'cdk Orders',
  SecretArn: 'arn:secret',
  Rotation: '1',
  ...more,
});

describe('the key that a stack makes for a function', () => {
  test('opens the project, and what it changes is on record under its name', async () => {
    const world = new StackWorld();
    expect(await world.ask({})).toMatchObject({ Status: 'SUCCESS' });
    expect(await world.request(world.key, 'GET /v1/me')).toMatchObject({
      status: 200,
      body: { projects: [{ name: 'app', role: 'editor' }] },
    });
    const put = await world.request(world.key, 'PUT /v1/jobs/{jobId}', { jobId: 'a' }, aBody());
    expect(put).toMatchObject({ status: 201, body: { jobId: 'a' } });
    const by = { sub: 'quarterjack-stack', via: 'key:cdk Orders' };
    expect(await world.jobRow('a', 'app')).toMatchObject({ by });
  });

  test.each([
    ['viewer', { 'GET /v1/jobs': 200, 'POST /v1/jobs': 403 }],
    ['operator', { 'GET /v1/jobs': 200, 'POST /v1/jobs': 403, 'POST /v1/jobs/{jobId}/pause': 404 }],
    ['editor', { 'GET /v1/jobs': 200, 'POST /v1/jobs': 201, 'POST /v1/jobs/{jobId}/pause': 404 }],
    ['worker', { 'GET /v1/jobs': 403, 'POST /v1/jobs': 403 }],
  ] as const)('has the rights of its role: %s', async (Role, statuses) => {
    const world = new StackWorld();
    await world.ask({ ResourceProperties: keyOf({ Role }) });
    for (const [route, status] of Object.entries(statuses))
      expect([
        route,
        (
          await world.request(
            world.key,
            route,
            { jobId: 'none' },
            route === 'POST /v1/jobs' ? aBody() : undefined,
          )
        ).status,
      ]).toEqual([route, status]);
  });

  test('is another one after a rotation, and the first one ends', async () => {
    const world = new StackWorld();
    const { PhysicalResourceId } = await world.ask({});
    const first = world.key;
    await world.ask({
      RequestType: 'Update',
      PhysicalResourceId,
      ResourceProperties: keyOf({ Rotation: '2' }),
      OldResourceProperties: keyOf({}),
    });
    await world.ask({ RequestType: 'Delete', PhysicalResourceId });
    expect((await world.request(world.key, 'GET /v1/jobs')).status).toBe(200);
    expect((await world.request(first, 'GET /v1/jobs')).status).toBe(401);
  });

  test('reads and changes the jobs that the stack defines', async () => {
    const world = new StackWorld();
    await world.ask({});
    const Definition = JSON.stringify(aBody());
    const ResourceProperties = { Project: 'app', JobId: 'nightly', Definition };
    expect(await world.ask({ ResourceType: JOB_RESOURCE, ResourceProperties })).toMatchObject({
      Status: 'SUCCESS',
    });
    const params = { jobId: 'nightly' };
    expect((await world.request(world.key, 'GET /v1/jobs/{jobId}', params)).status).toBe(200);
    expect((await world.request(world.key, 'POST /v1/jobs/{jobId}/run', params, {})).status).toBe(202);
  });
});

test.each([KEY_RESOURCE, JOB_RESOURCE])(
  'a %s in a project of the deployment itself is refused',
  async (ResourceType) => {
    const world = new StackWorld();
    const ResourceProperties = { ...keyOf({ Project: 'quarterjack-canary' }), JobId: 'a', Definition: '{}' };
    const { Status, Reason } = await world.ask({ ResourceType, ResourceProperties });
    expect([Status, Reason]).toEqual([
      'FAILED',
      'the project quarterjack-canary is kept for the deployment itself',
    ]);
  },
);
