import { PING_PATHS } from '../../lambdas/core/contracts/ping-routes';
import type { PingEvent } from '../../lambdas/ping/http-event';

/** A GET of a URL of pings or badges as API Gateway passes it on, by the first of the paths that fits. */
export function pingEventOf(url: string): PingEvent {
  const { pathname, search } = new URL(url, 'https://api.test');
  const pathParameters = PING_PATHS.map((path) => {
    const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    return new RegExp(`^${pattern}$`).exec(pathname)?.groups;
  }).find((groups) => groups !== undefined);
  return {
    rawQueryString: search.slice(1),
    pathParameters: pathParameters ?? {},
    requestContext: { http: { method: 'GET' } },
  };
}
