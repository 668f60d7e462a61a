import { everywhere, onAws, type Step } from '../check';
import { repeated } from '../repeat';
import type { AwsSite, Site } from '../site/site';
import { signIn } from './sign-in';

/** Times the configured burst: API Gateway keeps to it by its best efforts. */
const FLOOD = 2;
/** More at once would be no test of the deployment, but of this machine and its network. */
const MAX_BURST = 500;

export const frontDoor: Step = {
  name: 'front-door',
  title: 'Front door: who gets in',
  checks: [
    everywhere('front-door/no-token', 'A request without a token is refused', expecting(undefined, 401)),
    everywhere('front-door/bad-token', 'A forged token is refused', expecting('a.b.c', 401, 403)),
    everywhere(
      'front-door/id-token',
      'A token without scopes, such as an ID token, is refused',
      (site) => expecting(site.idToken, 401, 403)(site),
      'id-token',
    ),
    everywhere(
      'front-door/token',
      'A token with its scopes is let in',
      (site) => expecting(site.token, 200)(site),
      'token',
    ),
    everywhere('front-door/operator', 'A token of a user is no operator’s', noOperator, 'token'),
    onAws(
      'front-door/sign-in',
      'The sign-in page alone gives tokens to people, and those of the console are renewed once',
      signIn,
    ),
    onAws('front-door/throttle', 'Above the configured rate, requests are answered 429', throttle, 'disturb'),
  ],
};

const requestOnce = async (url: string, token: string | undefined, path = '/v1/jobs') => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers });
  await response.arrayBuffer();
  return response.status;
};

const requestWith = (site: Site, token: string | undefined, path?: string) =>
  repeated(
    () => requestOnce(site.url, token, path),
    (status) => status === 503,
    site.sleep,
  );

function expecting(token: string | undefined, ...expected: number[]) {
  return async (site: Site) => {
    const status = await requestWith(site, token);
    return { holds: expected.includes(status), detail: `${status}` };
  };
}

async function noOperator(site: Site) {
  const status = await requestWith(site, site.token, '/v1/admin/status');
  return { holds: status === 403, detail: `GET /v1/admin/status: ${status}` };
}

/** The health route is public, and counts towards the rate of all routes. */
async function throttle({ url, template }: AwsSite) {
  const burst = burstIn(template());
  if (burst > MAX_BURST)
    return {
      ...{ holds: false, applies: false },
      detail: `the burst is ${burst}, and ${MAX_BURST} is the most to flood`,
    };
  const flood = FLOOD * burst;
  const statuses = await Promise.all(
    Array.from({ length: flood }, () => requestOnce(url, undefined, '/v1/health')),
  );
  const refused = statuses.filter((status) => status === 429).length;
  return { holds: refused > 0, detail: `${refused} of ${flood} requests at once were answered 429` };
}

function burstIn({ Resources }: ReturnType<AwsSite['template']>): number {
  const stage = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Stage');
  const settings = stage?.Properties?.DefaultRouteSettings as { ThrottlingBurstLimit: number } | undefined;
  if (!settings) throw new Error('the template has no stage of an API with a burst');
  return settings.ThrottlingBurstLimit;
}
