import { callWithSecrets } from '../../../../../lambdas/core/delivery/call/call-with-secrets';
import { withRoutingKey } from '../../../../../lambdas/core/delivery/call/incident';
import { httpTargetOf } from '../../../../../lambdas/core/domain/incident';
import type { Delivery } from '../../../../../lambdas/core/delivery/delivery';
import type { IncidentTarget } from '../../../../../lambdas/core/domain/notification-targets';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { Receiver } from '../../../../support/secret-calls';
import { noSecrets } from '../../../../support/surroundings';

const receiver = new Receiver();
let url: string;
beforeAll(async () => (url = await receiver.start()));
afterAll(() => receiver.stop());

const VALUE = 'R015VGZ5Y1T0KEYOFPAGERDUTY';
const HOSTS = ['events.pagerduty.com', 'events.eu.pagerduty.com', 'api.incident.io'];

/** One exchange that leaves as in production, but for its address. */
async function exchange(target: IncidentTarget, hosts = HOSTS) {
  const body = Buffer.from(JSON.stringify({ event_action: 'resolve', dedup_key: 'qj-1' }));
  const delivery = { project: 'alice', body, headers: { 'webhook-id': 'id-1' } };
  const seen: string[] = [];
  const shape = (called: HttpTarget, sent: Delivery) => {
    const shaped = withRoutingKey(called, sent);
    seen.push(shaped.target.url);
    return { ...shaped, target: { ...shaped.target, url: `${url}/hook` } };
  };
  const http = { policy: 'loopback', nowMs: () => 0 } as const;
  const secret = { name: 'pd', version: 'v1', keyVersion: 'k1', kind: 'text' as const, hosts, value: VALUE };
  const secrets = { ...noSecrets, read: async () => secret };
  const { signal } = new AbortController();
  const result = await callWithSecrets(httpTargetOf(target), delivery, signal, http, secrets, shape);
  return { result, url: seen[0], call: receiver.calls.at(-1) };
}

it.each([
  ['us', 'https://events.pagerduty.com/v2/enqueue'],
  ['eu', 'https://events.eu.pagerduty.com/v2/enqueue'],
] as const)('PagerDuty has the routing key in the body, at the host of the region %s', async (region, to) => {
  receiver.answers['/hook'] = ({ body }) => ({ status: 202, body });
  const sent = await exchange({ type: 'pagerduty', routingKey: '{{ secrets.pd }}', region });
  expect(sent.url).toBe(to);
  expect(JSON.parse(sent.call!.body)).toEqual({
    routing_key: VALUE,
    event_action: 'resolve',
    dedup_key: 'qj-1',
  });
  expect(sent.call!.headers).not.toHaveProperty('x-routing-key');
  expect(sent.result).toMatchObject({ outcome: 'succeeded', statusCode: 202 });
  expect(JSON.stringify(sent.result)).not.toContain(VALUE);
});

it('incident.io has the token in a header, and the source in the path', async () => {
  const target = { type: 'incident-io', sourceId: '01GW2G3V0S', token: '{{ secrets.pd }}' } as const;
  const sent = await exchange(target);
  expect(sent.url).toBe('https://api.incident.io/v2/alert_events/http/01GW2G3V0S');
  expect(sent.call!.headers.authorization).toBe(`Bearer ${VALUE}`);
  expect(sent.call!.body).not.toContain(VALUE);
});

it('a secret that is for another host leaves nothing', async () => {
  const before = receiver.calls.length;
  const { result } = await exchange({ type: 'pagerduty', routingKey: '{{ secrets.pd }}' }, ['example.com']);
  expect(result).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect(receiver.calls).toHaveLength(before);
});
