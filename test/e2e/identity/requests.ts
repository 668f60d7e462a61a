import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { eventually } from '../../support/eventually';
import type { Host } from '../../support/local/host';

export const inMs = (ms: number) => ({ type: 'at', at: new Date(Date.now() + ms).toISOString() });

export async function authorizationOf(user: string, scope: string): Promise<string> {
  const issuer = await openIssuer(ISSUER_DIR);
  return `Bearer ${await issuer.token({ user, scope, ttlSec: 600, nowMs: Date.now() })}`;
}

const AGAIN_AFTER_MS = 1_000;
const ANSWERED_WITHIN_MS = 120_000;

/** Whether the machine was too slow for a request: it may be repeated under its key. */
export const isUnavailable = ({ status }: { status: number }): boolean => status === 503;

/**
 * A request with JSON, by the run's own user unless the headers say otherwise. As careful clients do, it
 * repeats what the API could not write in time. Throws unless it succeeds.
 */
export async function requestTo(
  host: Host,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
) {
  const init: RequestInit = {
    method,
    headers: {
      authorization: `Bearer ${host.run.token}`,
      'content-type': 'application/json',
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const untilMs = Date.now() + ANSWERED_WITHIN_MS;
  let answer = await host.fetch(path, init);
  while (isUnavailable(answer) && Date.now() < untilMs) {
    await sleep(AGAIN_AFTER_MS);
    answer = await host.fetch(path, init);
  }
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return { headers: answer.headers, body: text ? JSON.parse(text) : undefined };
}

/** An executor reads the runs of its tasks together. */
export async function runWorkflow(host: Host, url: string, withinMs: number): Promise<void> {
  const target = { type: 'http', url };
  const workflow = { tasks: { a: { target }, b: { dependsOn: ['a'], target } } };
  await requestTo(host, 'PUT', '/v1/jobs/flow', { schedule: { type: 'none' }, workflow }, {});
  const { body: run } = await requestTo(host, 'POST', '/v1/jobs/flow/run', undefined, {});
  await eventually(
    () => requestTo(host, 'GET', `/v1/jobs/flow/executions/${run.execId}`, undefined, {}),
    ({ body }) => body.status === 'succeeded',
    withinMs,
  );
}

/** Tasks of two runs end in one batch of the stream, and the runs go on: the follower reads both. */
export async function endTasksOfTwoRuns(host: Host, url: string): Promise<void> {
  const workflow = {
    tasks: { call: { target: { type: 'http', url } }, wait: { dependsOn: ['call'], approval: {} } },
  };
  const jobIds = ['traced-1', 'traced-2'];
  for (const jobId of jobIds)
    await requestTo(host, 'PUT', `/v1/jobs/${jobId}`, { schedule: { type: 'none' }, workflow }, {});
  await Promise.all(jobIds.map((jobId) => requestTo(host, 'POST', `/v1/jobs/${jobId}/run`, undefined, {})));
}
