import { NOT_KEPT } from '../../../../../lambdas/core/delivery/secrets/redactor';
import { aProcess, CRM, oauth, Receiver, withClient } from '../../../../support/secret-calls';

let receiver: Receiver;
let url: string;
beforeEach(async () => {
  receiver = new Receiver();
  url = await receiver.start();
});
afterEach(() => receiver.stop());

describe('OAuth', () => {
  it.each([
    ['basic', { scope: 'read write' }, { grant_type: 'client_credentials', scope: 'read write' }],
    [
      'post',
      { audience: 'https://crm' },
      {
        grant_type: 'client_credentials',
        audience: 'https://crm',
        client_id: 'client-of-crm',
        client_secret: CRM,
      },
    ],
  ])('proves its client by %s', async (clientAuth, more, form) => {
    const { call } = await withClient(url);
    expect(await call({ auth: oauth(url, { clientAuth, ...more }) })).toMatchObject({ outcome: 'succeeded' });
    const [token, hook] = receiver.calls;
    expect(Object.fromEntries(new URLSearchParams(token!.body))).toEqual(form);
    const basic = Buffer.from(`client-of-crm:crm-p%22assword%2Fwith%2Ball`).toString('base64');
    expect(token!.headers.authorization).toBe(clientAuth === 'basic' ? `Basic ${basic}` : undefined);
    expect(hook!.headers.authorization).toBe('Bearer token-1');
  });

  it('keeps a token for all processes until a minute before its end', async () => {
    const first = await withClient(url);
    const second = aProcess(url, first.tables, first.clock);
    await Promise.all([first.call({ auth: oauth(url) }), first.call({ auth: oauth(url) })]);
    await second.call({ auth: oauth(url) });
    expect(receiver.callsOf('/token')).toHaveLength(1);
    await first.clock.advance(540_000);
    await second.call({ auth: oauth(url) });
    expect(receiver.callsOf('/token')).toHaveLength(2);
    await second.call({ auth: oauth(url, { scope: 'other' }) });
    expect(receiver.callsOf('/token')).toHaveLength(3);
    expect(JSON.stringify(first.tables.rows('executions'))).not.toContain('token-1');
  });

  it('keeps a token without an end for five minutes, less the last one', async () => {
    const { call, clock } = await withClient(url);
    receiver.answers['/token'] = () => ({ status: 200, body: '{"access_token":"endless-token"}' });
    await call({ auth: oauth(url) });
    await clock.advance(239_000);
    await call({ auth: oauth(url) });
    expect(receiver.callsOf('/token')).toHaveLength(1);
    await clock.advance(1_000);
    await call({ auth: oauth(url) });
    expect(receiver.callsOf('/token')).toHaveLength(2);
  });

  it('fetches a new token after a 401, and calls once more', async () => {
    const { call } = await withClient(url);
    receiver.answers['/hook'] = ({ headers }) =>
      headers.authorization === 'Bearer token-1'
        ? { status: 401, body: 'expired: token-1' }
        : { status: 200, body: `thanks for ${headers.authorization}` };
    expect(await call({ auth: oauth(url) })).toMatchObject({
      outcome: 'succeeded',
      body: NOT_KEPT,
    });
    receiver.answers['/hook'] = () => ({ status: 401, body: 'never' });
    expect(await call({ auth: oauth(url) })).toMatchObject({
      outcome: 'fatal',
      statusCode: 401,
      body: 'never',
    });
    expect(receiver.callsOf('/hook')).toHaveLength(4);
  });

  it.each([
    [400, { outcome: 'fatal', reason: 'bad-auth' }],
    [401, { outcome: 'fatal', reason: 'bad-auth' }],
    [408, { outcome: 'retriable' }],
    [429, { outcome: 'retriable' }],
    [302, { outcome: 'retriable' }],
    [503, { outcome: 'retriable' }],
  ])('tells that the token endpoint answered %d, without its secrets', async (status, expected) => {
    const { call } = await withClient(url);
    receiver.answers['/token'] = ({ headers }) => ({
      status,
      body: JSON.stringify({
        error: 'invalid_client',
        error_description: `${CRM} ${encodeURIComponent(CRM)} ${headers.authorization}`,
      }),
    });
    const result = await call({ auth: oauth(url) });
    expect(result).toMatchObject({
      ...expected,
      error: `the token endpoint answered ${status}: invalid_client: ${NOT_KEPT}`,
    });
    expect(result.error).not.toContain(Buffer.from(CRM).toString('base64').slice(4, 16));
    expect(receiver.callsOf('/hook')).toEqual([]);
  });

  it.each([
    ['no JSON', 'hello', { outcome: 'retriable' }],
    ['no token', '{}', { outcome: 'retriable' }],
    ['a token that could not be hidden', '{"access_token":"abc"}', { outcome: 'fatal', reason: 'bad-auth' }],
    ['another type of token', '{"access_token":"long-enough","token_type":"mac"}', { reason: 'bad-auth' }],
    [
      'a longer token',
      JSON.stringify({ access_token: 'x'.repeat(8_193) }),
      { outcome: 'fatal', reason: 'bad-auth' },
    ],
    ['more than 64 kB', JSON.stringify({ access_token: 'x'.repeat(65_536) }), { outcome: 'retriable' }],
  ])('calls no target after %s', async (_, body, expected) => {
    const { call } = await withClient(url);
    receiver.answers['/token'] = () => ({ status: 200, body });
    expect(await call({ auth: oauth(url) })).toMatchObject(expected);
    expect(receiver.callsOf('/hook')).toEqual([]);
  });

  it('tells by no answer of the token endpoint whether a guess of the scope is right', async () => {
    const errorOf = async (scope: string) => {
      const { call } = await withClient(url);
      receiver.answers['/token'] = ({ body }) => ({
        status: 400,
        body: JSON.stringify({
          error: 'invalid_scope',
          error_description: `Invalid scopes: ${new URLSearchParams(body).get('scope')}`,
        }),
      });
      return (await call({ auth: oauth(url, { scope }) })).error;
    };
    const known = CRM.slice(0, 7);
    const next = CRM.charAt(7);
    const answered = 'the token endpoint answered 400: invalid_scope:';
    expect(await errorOf(`${known}${next}`)).toBe(`${answered} Invalid scopes: ${known}${next}`);
    expect(await errorOf(`${known}x`)).toBe(`${answered} Invalid scopes: ${known}x`);
    expect(await errorOf(CRM)).toBe(`${answered} ${NOT_KEPT}`);
    expect(await errorOf('another-guess-of-the-crm')).toBe(`${answered} ${NOT_KEPT}`);
  });

  it('gives up a token endpoint that does not answer after 10 s', async () => {
    const { call, clock } = await withClient(url);
    receiver.answers['/token'] = () => {
      void clock.advance(10_000);
      return { status: 200, body: '' };
    };
    expect(await call({ auth: oauth(url) })).toEqual({
      outcome: 'retriable',
      error: 'the token endpoint did not respond within 10 s',
    });
  });

  it('sends no secret to a token endpoint that is not one of its hosts, or that the policy rejects', async () => {
    const { call } = await withClient(url);
    const elsewhere = oauth(url, { tokenUrl: 'https://example.com/token' });
    expect(await call({ auth: elsewhere })).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
    expect(await call({ auth: oauth(url, { tokenUrl: `${url}/token#x` }) })).toMatchObject({
      reason: 'blocked-target',
    });
    expect(receiver.calls).toEqual([]);
  });
});
