import { ROUTES } from '../../../../../lambdas/core/contracts/routes';
import { apiContract, type Operation } from '../../../../support/api-contract';
import { ApiWorld } from '../../../api/world';

const contract = apiContract();
const { document } = contract;
const operations = contract.routeKeys.map((routeKey) => [routeKey, contract.operation(routeKey)] as const);

test('it has every route and no other', () => {
  expect(contract.routeKeys.toSorted()).toEqual(
    ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

test('every reference has a target', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)];
  expect(references.length).toBeGreaterThan(50);
  for (const [, kind = '', name = ''] of references) expect(document.components).toHaveProperty([kind, name]);
});

test('the operation ids are those of the route table, each once', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(ids.toSorted()).toEqual(ROUTES.map(({ operation }) => operation).toSorted());
});

describe.each(operations)('%s', (routeKey, operation) => {
  test('has a parameter for every variable part of its path', () => {
    const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(inPath.map(({ name }) => `{${name}}`)).toEqual(routeKey.match(/\{\w+\}/g) ?? []);
    for (const { required: isRequired } of inPath) expect(isRequired).toBe(true);
  });

  test('requires a token unless the route is open', () => {
    const { auth } = ROUTES.find(({ method, path }) => `${method} ${path}` === routeKey)!;
    const byToken = { token: auth === 'token' ? [] : [auth] };
    const required = auth === 'attempt' ? { attempt: [] } : auth === 'ping-key' ? { pingKey: [] } : byToken;
    expect(operation.security).toEqual(auth === 'none' ? [] : [required]);
    expect(Object.hasOwn(operation.responses, '401')).toBe(auth !== 'none');
  });

  test('has examples, and each matches its schema', () => {
    const media = mediaOf(operation);
    expect(media.length).toBeGreaterThan(0);
    for (const { schema, example } of media) {
      expect(example).toBeDefined();
      expect(contract.mismatches(schema, example)).toEqual([]);
    }
  });

  test('has a body for every response except 204 and 304', () => {
    for (const [status, given] of Object.entries(operation.responses)) {
      const content = contract.response(given)?.content;
      if (status === '204' || status === '304') expect(content).toBeUndefined();
      else expect(content).toBeDefined();
    }
  });
});

function mediaOf(operation: Operation) {
  const answers = Object.values(operation.responses).map((given) => contract.response(given));
  return [operation.requestBody, ...answers].flatMap((given) => Object.values(given?.content ?? {}));
}

test('the API returns it without a token', async () => {
  const response = await new ApiWorld().call('GET /v1/openapi.json', {}, undefined, { user: '', scope: '' });
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  expect(response.body).toEqual(JSON.parse(JSON.stringify(document)));
});

test('the API accepts the example requests', async () => {
  const world = new ApiWorld();
  const example = (routeKey: string) =>
    Object.values(contract.operation(routeKey).requestBody!.content)[0]!.example;
  const jobId = 'invoice-reminder-42';
  const call = (routeKey: string) => world.call(routeKey, { jobId }, example(routeKey));
  expect((await call('POST /v1/jobs')).status).toBe(201);
  expect((await call('PUT /v1/jobs/{jobId}')).status).toBe(200);
  expect((await call('PATCH /v1/jobs/{jobId}')).status).toBe(200);
  expect((await call('POST /v1/jobs/{jobId}/run')).status).toBe(202);
  expect((await call('POST /v1/schedules/preview')).status).toBe(200);
});
