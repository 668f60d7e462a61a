import Ajv from 'ajv';
import addFormats from 'ajv-formats';

import { bodyOf } from '../../../../../lambdas/core/alerts/format';
import { testMessage } from '../../../../../lambdas/core/alerts/message';
import { callerOf } from '../../../../../lambdas/core/delivery/call/call-target';
import { jobKeyOf } from '../../../../../lambdas/core/contracts/tables';
import { deliveryOf } from '../../../../../lambdas/core/delivery/delivery';
import { CLOUD_EVENT_TYPE } from '../../../../../lambdas/core/domain/cloud-event';
import { hiddenJobOf } from '../../../../../lambdas/core/domain/notification';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import cloudEvents from '../../../../fixtures/notifications/cloudevents-1.0.schema.json';
import { aJob, anExecution, aTarget, T0_MS } from '../../../../support/factories';
import { Receiver } from '../../../../support/secret-calls';
import { apiSurroundings, noSecrets } from '../../../../support/surroundings';

const isEvent = addFormats(new Ajv({ strict: true })).compile(cloudEvents);

const receiver = new Receiver();
let url: string;
beforeAll(async () => (url = await receiver.start()));
afterAll(() => receiver.stop());

const call = callerOf({
  http: { policy: 'loopback', nowMs: () => T0_MS },
  secrets: noSecrets,
  aws: apiSurroundings.settings.awsTargets,
});

/** What the target receives of an execution of this job. */
async function received(jobKey: string, payload: unknown, more: Partial<HttpTarget>) {
  const execution = anExecution({ jobKey, payload: { value: payload }, dueAtMs: T0_MS });
  const send = { nowMs: T0_MS, dueAtMs: T0_MS, trace: { traceparent: '00' } };
  const delivery = deliveryOf(execution, aJob(), send);
  const target = { ...aTarget({ url: `${url}/hook` }), ...more };
  expect(await call(target, delivery, new AbortController().signal)).toMatchObject({ outcome: 'succeeded' });
  const { headers, body } = receiver.calls.at(-1)!;
  const attributes = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('ce-') ? [[name.slice(3), value]] : [],
    ),
  );
  return { headers, body, attributes, execId: execution.execId };
}

const about = { job: { jobId: 'nightly-report' }, execution: { execId: '20261201T083000.000Z' } };

describe('an event of CloudEvents in binary mode', () => {
  it.each([
    ['a delivery', 'alice/nightly-report', { day: 1 }, 'quarterjack.delivery.v1'],
    ['an end', 'alice/~f-nightly-report', about, 'quarterjack.end.v1'],
    ['a notification', 'alice/~n-ops', about, 'quarterjack.notification.v1'],
  ])('has the attributes of %s in headers, and the body as it is', async (_what, jobKey, payload, type) => {
    const { attributes, headers, body, execId } = await received(jobKey, payload, { cloudEvents: true });
    expect(isEvent(attributes) || isEvent.errors).toBe(true);
    expect(attributes).toEqual({
      specversion: '1.0',
      id: headers['webhook-id'],
      source: '/projects/alice/jobs/nightly-report',
      type,
      time: '2026-12-01T08:30:00.000Z',
      subject: jobKey.includes('~') ? about.execution.execId : execId,
    });
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(body)).toEqual(payload);
  });

  it('has a project of any characters in printable ASCII', async () => {
    const { attributes } = await received(
      jobKeyOf({ userId: 'team "ä" 100%', jobId: 'nightly-report' }),
      {},
      { cloudEvents: true },
    );
    expect(attributes.source).toMatch(/^[\x21-\x7e]+$/);
    expect(decodeURIComponent(decodeURIComponent(String(attributes.source)))).toBe(
      '/projects/team "ä" 100%/jobs/nightly-report',
    );
  });

  it('is none where the target does not ask for it', async () => {
    const { attributes } = await received('alice/nightly-report', {}, {});
    expect(attributes).toEqual({});
  });
});

describe('an event of CloudEvents in structured mode', () => {
  it('is the whole body of a notification of that format, with its media type', async () => {
    const target = aTarget({ url: `${url}/hook` });
    const context = { notification: 'ops', project: 'alice', consoleUrl: 'https://api.example.com/console' };
    const event = bodyOf(testMessage(context), { format: 'cloudevents', target }, { id: 'm1', atMs: T0_MS });
    expect(isEvent(event) || isEvent.errors).toBe(true);
    expect(event).toMatchObject({
      id: 'm1',
      source: '/projects/alice',
      type: 'quarterjack.notification.v1',
      datacontenttype: 'application/json',
      data: { type: 'quarterjack.notification', kind: 'test' },
    });
    const { target: called } = hiddenJobOf({
      project: 'alice',
      id: 'ops',
      on: ['failed'],
      minInterval: '10m',
      format: 'cloudevents',
      target,
      etag: 'e1',
      createdAtMs: 0,
      updatedAtMs: 0,
      by: { sub: 'alice', name: null, via: 'token' },
    });
    const { headers, attributes } = await received('alice/~n-ops', event, called as HttpTarget);
    expect(headers['content-type']).toBe(CLOUD_EVENT_TYPE);
    expect(attributes).toEqual({});
  });
});
