import { ApiWorld } from '../world';
import { call, put, scope, target } from './requests';

describe('a target that keeps incidents', () => {
  const PAGERDUTY = { type: 'pagerduty', routingKey: '{{ secrets.pd }}' };
  const worldWithSecret = async (
    hosts = ['events.pagerduty.com', 'events.eu.pagerduty.com', 'api.incident.io'],
  ) => {
    const world = new ApiWorld();
    const options = { scope: `${scope} secrets:write` };
    const secret = await world.call(
      'PUT /v1/secrets/{name}',
      { name: 'pd' },
      { value: 'R0ut1ngK3y', hosts },
      options,
    );
    expect(secret.status).toBeLessThan(300);
    return world;
  };

  it.each([
    PAGERDUTY,
    { ...PAGERDUTY, region: 'eu' },
    { type: 'incident-io', sourceId: '01GW2G3V0S59R2', token: '{{ secrets.pd }}' },
  ])('is taken, and shown as it is: %j', async (given) => {
    const world = await worldWithSecret();
    const more = { target: given, severity: { failed: 'critical' } };
    expect(await put(world, more)).toMatchObject({ status: 201, body: more });
    const change = await put(world, { target: { ...PAGERDUTY, region: 'us' } });
    expect([change.status, change.body.detail]).toEqual([409, expect.stringContaining('cannot change')]);
    expect((await call(world, 'DELETE', 'ops')).status).toBe(204);
    expect((await call(world, 'GET', 'ops')).status).toBe(404);
    const soon = await put(world);
    expect([soon.status, soon.body.detail]).toEqual([409, expect.stringContaining('try again')]);
    await world.clock.advance(150_000);
    expect((await put(world)).status).toBe(201);
  });

  it.each([
    [
      { on: ['succeeded'], target: PAGERDUTY },
      'on.0',
      'must be failed, skipped, late, slow, quick, recovered',
    ],
    [{ on: ['recovered'], target: PAGERDUTY }, 'on', 'must have one of failed, skipped, late'],
    [{ target: PAGERDUTY, format: 'slack' }, 'format', 'is not allowed with a target "pagerduty"'],
    [{ target: { type: 'opsgenie' } }, 'target.type', '"opsgenie" must be one of http, lambda, sqs, sns'],
    [{ target: { type: 'opsgenie' } }, 'target.type', ', email, pagerduty, incident-io'],
    [{ target: { ...PAGERDUTY, region: 'ap' } }, 'target.region', 'must be one of us, eu'],
    [
      { target: { ...PAGERDUTY, routingKey: 'R0ut1ngK3y' } },
      'target.routingKey',
      'a literal is not accepted',
    ],
    [
      { target: { ...PAGERDUTY, routingKey: '{{ secrets.no }}' } },
      'target.routingKey',
      'there is no secret "no"',
    ],
    [
      { target: { type: 'incident-io', sourceId: 'a/b', token: '{{ secrets.pd }}' } },
      'target.sourceId',
      '1 to 64',
    ],
    [{ severity: { failed: 'error' } }, 'severity', 'is only allowed with a target "pagerduty"'],
    [
      { format: 'cloudevents', target: { ...target, cloudEvents: true } },
      'target.cloudEvents',
      'an event has one mode',
    ],
    [
      { target: { ...target, cloudEvents: true, headers: { 'CE-Id': '1' } } },
      'target.headers.CE-Id',
      'is not allowed with "cloudEvents"',
    ],
  ])('%j is refused at its field', async (more, field, message) => {
    const { status, body: problem } = await put(await worldWithSecret(), more);
    expect(status).toBe(400);
    expect(problem.errors).toContainEqual({ path: field, message: expect.stringContaining(message) });
  });

  it('is refused if its secret is not for the host of the service', async () => {
    const { status, body: problem } = await put(await worldWithSecret(['example.com']), {
      target: PAGERDUTY,
    });
    expect(status).toBe(400);
    expect(problem.errors).toEqual([
      {
        path: 'target.routingKey',
        message: expect.stringContaining("may not go to the target's host, events.pagerduty.com"),
      },
    ]);
  });
});
