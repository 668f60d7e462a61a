import { openIssuer } from '../../../local/issuer/issuer';
import { ISSUER_DIR } from '../../../local/machine/paths';
import { eventually } from '../../support/eventually';
import type { Host } from '../../support/local/host';

export const inMs = (ms: number) => ({ type: 'at', at: new Date(Date.now() + ms).toISOString() });

export async function authorizationOf(user: string, scope: string): Promise<string> {
  const issuer = await openIssuer(ISSUER_DIR);
  return `Bearer ${await issuer.token({ user, scope, ttlSec: 600, nowMs: Date.now() })}`;
}

/** A request with JSON, by the run's own user unless the headers say otherwise. Throws unless it succeeds. */
export async function requestTo(
  host: Host,
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
) {
  const answer = await host.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${host.run.token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
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
