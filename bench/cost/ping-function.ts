import { MONITORS_PATH } from '../../lambdas/core/contracts/ping-routes';
import { LEFT_TO_RECHECK } from '../../lambdas/ping/left-to-recheck';
import { makeMonitorBy } from '../../lambdas/ping/make-monitor';
import { requestOf } from '../../lambdas/ping/http-event';
import { RecentPings } from '../../lambdas/ping/recent-pings';
import { type PingDeps, servePing } from '../../lambdas/ping/serve-ping';
import { pingEventOf } from '../../test/support/ping-event';
import { apiSurroundings } from '../../test/support/surroundings';
import type { MeteredDeployment } from './metered-deployment';
import { QUOTAS } from './settings';

/** Pings of a deployment: one request to a URL, while time passes. Throws if it does not count. */
export function pingFunctionOf(
  deployment: MeteredDeployment,
): (url: string, body?: Uint8Array) => Promise<void> {
  /** The way over HTTP, as far as one request goes. */
  const fetch = (async (_url, { headers, body } = {}) => {
    const given = { headers: headers as Record<string, string> };
    const { status } = await deployment.answer('provisionMonitor', {}, JSON.parse(body as string), given);
    return new Response(null, { status });
  }) as typeof globalThis.fetch;
  const { clock } = deployment;
  const deps: PingDeps = {
    ...deployment.compose('ping'),
    followUps: LEFT_TO_RECHECK,
    secret: apiSurroundings.secret,
    recent: new RecentPings(),
    makeMonitor: makeMonitorBy(MONITORS_PATH, { fetch, clock }),
    logLimits: QUOTAS,
  };
  return async (url, body = new Uint8Array()) => {
    const request = { ...requestOf(pingEventOf(url)), body };
    const { status, text } = await deployment.invoke('ping', () => servePing(request, deps));
    if (status >= 300) throw new Error(`a ping was answered ${status}: ${text}`);
  };
}
