import type { TargetResult } from '../../lambdas/core/domain/target-result';
import { FakeIncidents, type IncidentEvent, incidentEventIn, isOfIncidents } from './fake-incidents';
import { PipelineWorld } from './pipeline-world';
import { GONE } from './notified-world';

const OK: TargetResult = { outcome: 'succeeded', statusCode: 202 };
const SERVICES = ['events.pagerduty.com', 'api.incident.io'];
export const PAGERDUTY = { type: 'pagerduty', routingKey: '{{ secrets.incidents }}' };
export const INCIDENT_IO = {
  type: 'incident-io',
  sourceId: '01GW2G3V0S59R2',
  token: '{{ secrets.incidents }}',
};

/** A world whose notification `ops` keeps incidents of a service, and that service. */
export async function withIncidentService(definition: object = {}) {
  const world = await PipelineWorld.started(1);
  const service = new FakeIncidents();
  const failing = new Set<string>();
  let last: string | IncidentEvent = '';
  /** What the service answers: it takes the event, unless this says otherwise. */
  const by: {
    answer: (event: IncidentEvent) => Promise<TargetResult | undefined> | TargetResult | undefined;
  } = { answer: () => undefined };
  world.observe = (delivery, target) => {
    last = isOfIncidents(target) ? incidentEventIn(target, delivery) : delivery.headers['quarterjack-job']!;
  };
  world.behaviour = async () => {
    if (typeof last === 'string') return failing.has(last) ? GONE : { ...OK, statusCode: 200 };
    const event = last;
    const refusal = await by.answer(event);
    if (refusal) return refusal;
    service.take(event);
    return OK;
  };
  const value = 'R015VGZ5Y1T0KEYOFPAGERDUTY';
  const secret = world.api('putSecret', { name: 'incidents' }, { value, hosts: SERVICES });
  expect((await world.clock.settle(secret)).status).toBeLessThan(300);
  const body = { on: ['failed'], minInterval: '1h', target: PAGERDUTY, ...definition };
  const put = await world.clock.settle(world.api('putNotification', { id: 'ops' }, body));
  expect([put.status, put.body]).toEqual([201, expect.anything()]);
  return { world, service, failing, by };
}
