import { HOUR_MS } from '../../lambdas/core/clock/clock';
import { LEFT_TO_RECHECK } from '../../lambdas/ping/left-to-recheck';
import { RecentPings } from '../../lambdas/ping/recent-pings';
import { type PingRequest, type PingResponse, servePing } from '../../lambdas/ping/serve-ping';
import type { PipelineWorld } from './pipeline-world';

export const MONITOR = { userId: 'alice', jobId: 'backup' };
export const HOURLY = { type: 'cron', expression: '0 * * * *', timezone: 'UTC' };

/** A monitor that is due at each full hour, and its URL. */
export async function monitored(world: PipelineWorld, definition: object = {}): Promise<string> {
  const target = { type: 'monitor', pingWithin: '10m' };
  const job = { schedule: HOURLY, target, ...definition };
  expect(await world.api('putJob', { jobId: 'backup' }, job)).toMatchObject({ status: 201 });
  const key = await world.api('getPingKey', { jobId: 'backup' });
  expect(key).toMatchObject({ status: 200, body: { version: 1 } });
  return (key.body as { url: string }).url;
}

/** Lets time pass until so long after the next full hour. */
export async function untilAfterHour(world: PipelineWorld, ms: number): Promise<number> {
  const hourMs = Math.ceil(world.clock.nowMs() / HOUR_MS) * HOUR_MS;
  await world.run(hourMs + ms - world.clock.nowMs());
  return hourMs;
}

/** Its process goes on as long as the world. */
const recent = new WeakMap<PipelineWorld, RecentPings>();

/** One request to a ping URL, as API Gateway passes it on. */
export function ping(
  world: PipelineWorld,
  url: string,
  request: Partial<PingRequest> = {},
): Promise<PingResponse> {
  const [, key = '', signal] = /\/p\/([^/]+)(?:\/(.*))?$/.exec(url) ?? [];
  const known = recent.get(world) ?? new RecentPings();
  recent.set(world, known);
  const node = world.nodes.of('ping');
  const given = { method: 'GET', key, signal, body: new Uint8Array(), ...request };
  return servePing(given, {
    ...node,
    followUps: LEFT_TO_RECHECK,
    recent: known,
    logLimits: node.deployment.quotas,
  });
}
