import { HOUR_MS } from '../../lambdas/core/clock/clock';
import { LEFT_TO_RECHECK } from '../../lambdas/ping/left-to-recheck';
import { makeMonitorBy } from '../../lambdas/ping/make-monitor';
import { RecentPings } from '../../lambdas/ping/recent-pings';
import {
  badgeRequestOf,
  type PingEvent,
  type PingResult,
  requestOf,
  resultOf,
} from '../../lambdas/ping/http-event';
import type { PingResponse } from '../../lambdas/ping/responses';
import { badgeStatuses, serveBadge } from '../../lambdas/ping/serve-badge';
import { type PingRequest, servePing } from '../../lambdas/ping/serve-ping';
import { pingEventOf } from './ping-event';
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

/** What a process of the function remembers goes on as long as the world. */
const processes = new WeakMap<PipelineWorld, ReturnType<typeof processOf>>();

function processOf(world: PipelineWorld) {
  const node = world.nodes.of('ping');
  const deps = {
    ...node,
    followUps: LEFT_TO_RECHECK,
    recent: new RecentPings(),
    makeMonitor: makeMonitorBy('https://api.test', { fetch: toApi(world), clock: world.clock }),
    logLimits: node.deployment.quotas,
  };
  return { deps, statusOf: badgeStatuses(deps) };
}

/** The way over HTTP, as far as one request goes. */
const toApi =
  (world: PipelineWorld): typeof fetch =>
  async (_url, { headers, body } = {}) => {
    const given = headers as Record<string, string>;
    const parsed: unknown = JSON.parse(body as string);
    const answer = await world.api('provisionMonitor', {}, parsed, given, { caller: undefined });
    return Response.json(answer.body, { status: answer.status, headers: answer.headers });
  };

function processIn(world: PipelineWorld) {
  const known = processes.get(world) ?? processOf(world);
  processes.set(world, known);
  return known;
}

/** One request to a ping URL, as API Gateway passes it on. */
export function ping(
  world: PipelineWorld,
  url: string,
  request: Partial<PingRequest> = {},
): Promise<PingResponse> {
  const given = { ...requestOf(pingEventOf(url)), body: new Uint8Array(), ...request };
  return servePing(given, {
    ...processIn(world).deps,
    ...world.nodes.of('ping'),
    followUps: LEFT_TO_RECHECK,
  });
}

/** What API Gateway gets for a request to a URL of pings or badges. */
export async function pingAnswer(
  world: PipelineWorld,
  url: string,
  more: Partial<PingEvent> = {},
): Promise<PingResult> {
  const event = { ...pingEventOf(url), ...more };
  const { deps, statusOf } = processIn(world);
  const badge = badgeRequestOf(event);
  return resultOf(event, badge ? await serveBadge(badge, statusOf) : await servePing(requestOf(event), deps));
}

/** The badge of the monitor. */
export async function badgeOf(world: PipelineWorld, query = ''): Promise<PingResult> {
  const { body } = await world.api('getPingKey', { jobId: 'backup' });
  return pingAnswer(world, (body as { badgeUrl: string }).badgeUrl + query);
}
