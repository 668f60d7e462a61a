import { aBody, type Answered, ApiWorld, type CallOptions } from '../world';

export const VALUE = 'p4ssw0rd-of-the-crm';
/** Scopes of an owner. */
export const scope = 'jobs:read jobs:write project:admin';

export const put = (
  world: ApiWorld,
  name: string,
  body: object = {},
  options: CallOptions = {},
): Promise<Answered> =>
  world.call(
    'PUT /v1/secrets/{name}',
    { name },
    { value: VALUE, hosts: ['example.com', '*.example.org'], ...body },
    { scope, ...options },
  );
export const get = (world: ApiWorld, name: string, options: CallOptions = {}) =>
  world.call('GET /v1/secrets/{name}', { name }, undefined, { scope, ...options });
export const remove = (world: ApiWorld, name: string, query = '') =>
  world.call('DELETE /v1/secrets/{name}', { name }, undefined, { scope, query });

export const target = (more: object) => ({ ...aBody().target, ...more });
export const bearer = (name = 'crm') => target({ auth: { type: 'bearer', token: `{{ secrets.${name} }}` } });

export async function worldWithSecret(name = 'crm', body: object = {}): Promise<ApiWorld> {
  const world = new ApiWorld();
  expect((await put(world, name, body)).status).toBe(201);
  return world;
}
