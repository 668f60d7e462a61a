import { DEPTH_HEADER, MAX_DELIVERY_DEPTH } from '../../core/contracts/loop-guard';
import { hostOf, isLoopbackHost } from '../../core/delivery/address-policy';
import { type JobDefinition, targetsOf } from '../../core/domain/job';
import { parseUrl } from '../../core/domain/parse-url';
import { conflict, invalidField } from './problem';
import type { ApiRequest } from '../request';

/**
 * How many deliveries in a row led to this request. Each delivery carries its number in `Quarterjack-Hop`,
 * and a target that calls this API passes the header on. Without a bound, a job whose target creates or
 * starts jobs could run for ever. Undefined if no delivery led to the request. Throws `ProblemError` 400, or
 * 409 above the bound.
 */
export function deliveryDepthOf({ headers }: ApiRequest): number | undefined {
  const header = headers[DEPTH_HEADER]?.trim();
  if (header === undefined) return undefined;
  if (!/^\d{1,4}$/.test(header))
    throw invalidField('Quarterjack-Hop', 'must be a whole number from 0 to 9999');
  const deliveryDepth = Number(header);
  if (deliveryDepth >= MAX_DELIVERY_DEPTH)
    throw conflict(
      `${deliveryDepth} deliveries in a row led to this request (Quarterjack-Hop); the limit is ${MAX_DELIVERY_DEPTH}. To repeat work, use retry or an interval`,
    );
  return deliveryDepth === 0 ? undefined : deliveryDepth;
}

/**
 * Whether a URL leads to the host that this request was sent to. All ports of a public host belong to this
 * API. On a loopback host each port is a server of its own, under any of the machine's names and addresses.
 */
export function leadsToThisApi(url: URL, { headers }: ApiRequest): boolean {
  const own = headers.host === undefined ? undefined : parseUrl(`http://${headers.host}`);
  if (!own) return false;
  if (!isLoopbackHost(hostOf(own))) return hostOf(url) === hostOf(own);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  // A Host header without a port does not say whether the request came by http or https.
  const ownPorts = own.port ? [own.port] : ['80', '443'];
  return isLoopbackHost(hostOf(url)) && ownPorts.includes(port);
}

/**
 * Checks the targets of a stored job before a request starts it. The request that created the job may have
 * called this API by another host name. Throws `ProblemError` 409.
 */
export function checkNotOwn(job: Pick<JobDefinition, 'target' | 'targets'>, request: ApiRequest): void {
  for (const target of targetsOf(job)) {
    const url = target.type === 'http' ? parseUrl(target.url) : undefined;
    if (target.type === 'http' && url && leadsToThisApi(url, request))
      throw conflict(`the job's target leads to this API itself: ${target.url}`);
  }
}
