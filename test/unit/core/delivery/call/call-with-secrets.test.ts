import { NOT_KEPT } from '../../../../../lambdas/core/delivery/secrets/redactor';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { aProcess, CRM, oauth, Receiver, withClient } from '../../../../support/secret-calls';

let receiver: Receiver;
let url: string;
beforeEach(async () => {
  receiver = new Receiver();
  url = await receiver.start();
});
afterEach(() => receiver.stop());

describe('a call', () => {
  it.each<[string, HttpTarget['auth'], Record<string, string>]>([
    ['bearer', { type: 'bearer', token: '{{ secrets.crm }}' }, { authorization: `Bearer ${CRM}` }],
    [
      'basic',
      { type: 'basic', username: '{{ secrets.client }}', password: '{{ secrets.crm }}' },
      { authorization: `Basic ${Buffer.from(`client-of-crm:${CRM}`).toString('base64')}` },
    ],
    ['header', { type: 'header', name: 'X-Api-Key', value: '{{ secrets.crm }}' }, { 'x-api-key': CRM }],
  ])('carries its secret by %s', async (_, auth, headers) => {
    const { call } = await withClient(url);
    expect(await call({ auth })).toMatchObject({ outcome: 'succeeded', body: 'ok' });
    expect(receiver.calls).toMatchObject([{ headers: { ...headers, 'webhook-id': 'id-1' } }]);
  });

  it('carries secrets in values of headers and of its query', async () => {
    const { call } = await withClient(url);
    const target = {
      url: `${url}/hook?a=1&key={{ secrets.crm }}`,
      headers: { 'X-Key': 'k={{secrets.crm}};' },
    };
    expect(await call(target)).toMatchObject({ outcome: 'succeeded' });
    expect(receiver.calls).toMatchObject([
      { url: `/hook?a=1&key=${encodeURIComponent(CRM)}`, headers: { 'x-key': `k=${CRM};` } },
    ]);
  });

  it('may go to a URL that is a secret as a whole', async () => {
    const { put, call } = aProcess(url);
    await put('hook', `${url}/hook?token=abcdefgh`);
    receiver.answers['/hook'] = ({ url: path }) => ({ status: 404, body: `Cannot POST ${path}` });
    expect(await call({ url: '{{ secrets.hook }}' })).toMatchObject({
      outcome: 'fatal',
      statusCode: 404,
      body: NOT_KEPT,
    });
  });

  it.each(['the value', 'a guess of the same length'])('shows nothing that tells %s', async (which) => {
    const guess = which === 'the value' ? CRM : CRM.replaceAll(/[a-z]/g, 'x');
    const { call } = await withClient(url);
    receiver.answers['/hook'] = ({ url: path, body }) => ({
      status: 400,
      body: `${body}\nno ${path}\nsorry`,
    });
    const result = await call({
      url: `${url}/hook?guess=${encodeURIComponent(guess)}`,
      auth: { type: 'bearer', token: '{{ secrets.crm }}' },
      headers: { 'x-guess': guess },
    });
    expect(result.body).toBe(`{}\n${NOT_KEPT}\nsorry`);
  });

  it('does not depend on the length of a secret in a query', async () => {
    for (const value of ['x'.repeat(8), 'x'.repeat(4_096)]) {
      const { put, call } = aProcess(url);
      await put('long', value);
      expect(await call({ url: `${url}/hook?s={{ secrets.long }}&t={{ secrets.long }}` })).toMatchObject({
        outcome: 'succeeded',
      });
    }
  });

  it('is not made with more than 16 references', async () => {
    const { call } = await withClient(url);
    expect(await call({ headers: { 'x-many': '{{ secrets.crm }} '.repeat(17) } })).toMatchObject({
      outcome: 'fatal',
      reason: 'bad-input',
      error: 'the target names secrets more than 16 times',
    });
    expect(receiver.calls).toEqual([]);
  });

  it('keeps no secret of a response, also across its chunks and limits', async () => {
    const { call } = await withClient(url);
    const echoes = ['x'.repeat(250) + CRM, `${'x'.repeat(240)}${Buffer.from(`a:${CRM}`).toString('base64')}`];
    for (const body of echoes) {
      receiver.answers['/hook'] = () => ({ status: 200, body });
      const result = await call({ auth: { type: 'bearer', token: '{{ secrets.crm }}' } });
      expect(result.body).toBe(NOT_KEPT);
      expect(JSON.stringify(result)).not.toContain(CRM.slice(0, 4));
    }
  });
});

describe('no call is made', () => {
  const bearer = { auth: { type: 'bearer', token: '{{ secrets.crm }}' } } as const;
  afterEach(() => expect(receiver.calls).toEqual([]));

  it('without the secret', async () => {
    expect(await aProcess(url).call(bearer)).toEqual({
      outcome: 'fatal',
      reason: 'bad-input',
      error: 'there is no secret crm in the project',
    });
  });

  it('to a host that the secret does not name', async () => {
    const { put, call } = aProcess(url);
    await put('crm', CRM, ['example.com', '*.0.0.1']);
    expect(await call(bearer)).toEqual({
      outcome: 'fatal',
      reason: 'blocked-target',
      error: "the target's host is not one of the hosts of secret crm",
    });
  });

  it('with a secret that no header can carry', async () => {
    const { put, call } = aProcess(url);
    await put('crm', 'password\r\nx: y');
    expect(await call(bearer)).toMatchObject({ outcome: 'fatal', reason: 'bad-input' });
  });

  it('to a URL that is no URL, or a secret of several hosts', async () => {
    const { put, call } = aProcess(url);
    await put('hook', 'no url at all');
    expect(await call({ url: '{{ secrets.hook }}' })).toMatchObject({ reason: 'bad-input' });
    await put('hook2', `${url}/hook`, ['127.0.0.1', 'example.com']);
    expect(await call({ url: '{{ secrets.hook2 }}' })).toMatchObject({ reason: 'blocked-target' });
  });

  it('if the secret cannot be opened', async () => {
    const { tables, call, put } = aProcess(url);
    await put('crm', CRM);
    const [row] = tables.rows('executions');
    row!.sealed = String(row!.sealed).replace('s1.v1.', 's1.gone.');
    tables.apply('PutCommand', { TableName: 'executions', Item: row! }, () => false);
    expect(await call(bearer)).toEqual({
      outcome: 'retriable',
      error: 'secret crm could not be read: UnsealError',
    });
  });
});

it('uses a new value within a minute, and a new secret at once', async () => {
  const { put, call, clock } = aProcess(url);
  const sent = async () => {
    await call({ auth: { type: 'bearer', token: '{{ secrets.crm }}' } });
    return receiver.calls.at(-1)?.headers.authorization;
  };
  expect(await sent()).toBeUndefined();
  await put('crm', 'first-value');
  expect(await sent()).toBe('Bearer first-value');
  await put('crm', 'second-value');
  expect(await sent()).toBe('Bearer first-value');
  await clock.advance(60_000);
  expect(await sent()).toBe('Bearer second-value');
});

test('a call that is aborted while it waits for its access token says so', async () => {
  const stop = new AbortController();
  receiver.answers['/token'] = () => {
    stop.abort();
    return { status: 500, body: '' };
  };
  const { call } = await withClient(url);
  expect(await call({ auth: oauth(url) }, stop.signal)).toEqual({
    outcome: 'retriable',
    error: 'call aborted, phase: access token',
    phase: 'access token',
  });
});
