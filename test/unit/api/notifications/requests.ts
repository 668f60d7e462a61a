import type { ApiWorld, CallOptions } from '../world';

export const scope = 'jobs:read jobs:write project:admin';
export const target = { type: 'http', url: 'https://hooks.example.com/ops' };
const body = (more: object = {}) => ({ on: ['failed'], target, ...more });

/** A request about one notification, by an owner. */
export const call = (
  world: ApiWorld,
  method: string,
  id: string,
  given?: object,
  options: CallOptions = {},
) =>
  world.clock.settle(
    world.call(`${method} /v1/notifications/{id}` as 'PUT /v1/notifications/{id}', { id }, given, {
      scope,
      ...options,
    }),
  );

export const put = (world: ApiWorld, more: object = {}, id = 'ops', options: CallOptions = {}) =>
  call(world, 'PUT', id, body(more), options);
