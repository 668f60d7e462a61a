import { everywhere, onAws, type Step } from '../check';
import type { AwsSite, Site } from '../site/site';

/** Requests at once, above every configured burst of the examples. */
const FLOOD = 2_000;

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
    onAws('front-door/throttle', 'Above the configured rate, requests are answered 429', throttle, 'disturb'),
  ],
};

const requestWith = async (url: string, token: string | undefined, path = '/v1/jobs') => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(url + path, { headers });
  await response.arrayBuffer();
  return response.status;
};

function expecting(token: string | undefined, ...expected: number[]) {
  return async ({ url }: Site) => {
    const status = await requestWith(url, token);
    return { holds: expected.includes(status), detail: `${status}` };
  };
}

async function noOperator({ url, token }: Site) {
  const status = await requestWith(url, token, '/v1/admin/status');
  return { holds: status === 403, detail: `GET /v1/admin/status: ${status}` };
}

/** The health route is public, and counts towards the rate of all routes. */
async function throttle({ url }: AwsSite) {
  const statuses = await Promise.all(
    Array.from({ length: FLOOD }, () => requestWith(url, undefined, '/v1/health')),
  );
  const refused = statuses.filter((status) => status === 429).length;
  return { holds: refused > 0, detail: `${refused} of ${FLOOD} requests at once were answered 429` };
}
