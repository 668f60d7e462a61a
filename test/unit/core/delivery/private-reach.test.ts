import https from 'node:https';
import { connect } from 'node:net';

import { privateAccessOf } from '../../../../lambdas/core/contracts/target-resources';
import { checkUrl } from '../../../../lambdas/core/delivery/address-policy';
import { isReachable, type TargetPolicy, withReach } from '../../../../lambdas/core/delivery/addresses';
import { callHttp } from '../../../../lambdas/core/delivery/call/http';
import { type Resolve, resolveChecked } from '../../../../lambdas/core/delivery/checked-lookup';
import { aTarget } from '../../../support/factories';
import { listenOnLoopback } from '../../../support/loopback-server';

const SETTINGS = {
  networks: { inner: ['10.1.0.0/16', 'fd12:3456::/32'] },
  hosts: { shop: ['app.internal', '*.corp.example', '10.1.2.3', '10.2.0.1'], '*': ['wiki'] },
};
const accessOf = (project: string, pool = 'inner') => privateAccessOf(SETTINGS, pool, project);
const policyOf = (project: string, pool?: string): TargetPolicy =>
  withReach('public', accessOf(project, pool));
const SHOP = policyOf('shop');
const found = (...addresses: string[]): Resolve => {
  const rest = [...addresses];
  return async () => {
    const address = rest.length > 1 ? rest.shift()! : rest[0]!;
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
};

test('a pool in a VPC reaches the private hosts of a project, and those of all', () => {
  expect(accessOf('shop')?.hosts).toEqual(['app.internal', '*.corp.example', '10.1.2.3', '10.2.0.1', 'wiki']);
  expect(accessOf('other')?.hosts).toEqual(['wiki']);
  expect(accessOf('shop', 'default')).toBeUndefined();
  expect(accessOf('constructor')?.hosts).toEqual(['wiki']);
  expect(privateAccessOf({ ...SETTINGS, hosts: { shop: ['app'] } }, 'inner', 'other')).toBeUndefined();
});

test.each([
  ['http://app.internal:8080/x', true],
  ['https://app.internal/', true],
  ['https://a.b.corp.example:9443/', true],
  ['http://wiki/', true],
  ['http://10.1.2.3:8080/', true],
  ['http://APP.internal./', true],
  ['https://public.example/', true],
  ['http://public.example/', false],
  ['https://public.example:8080/', false],
  ['https://corp.example.evil/', true],
  ['http://corp.example/', false],
  ['http://10.2.0.1/', false], // it is listed, and in no network of the pool
  ['http://10.1.2.4/', false],
  ['https://other.internal/', false],
  ['ftp://app.internal/', false],
  ['http://app.internal:0/', false],
  ['http://user@app.internal/', false],
  ['http://app.internal/#x', false],
])('%s: %s', (url, isAllowed) => {
  expect(checkUrl(url, SHOP).ok).toBe(isAllowed);
});

test('an endpoint of AWS, or this machine, is no private host, whatever the operator lists', () => {
  const hosts = ['*.amazonaws.com', '*.localhost', '127.0.0.1', '169.254.169.254', '100.64.0.1'];
  const networks = ['0.0.0.0/0'];
  const policy = withReach('public', { hosts, networks });
  for (const host of [
    'sqs.eu-central-1.amazonaws.com',
    'vpce-1.sqs.eu-central-1.vpce.amazonaws.com',
    'a.localhost',
    ...hosts.slice(2),
  ])
    expect([host, checkUrl(`https://${host}/`, policy).ok]).toEqual([host, false]);
});

test('a list of hosts for public targets does not close private ones, nor the reverse', () => {
  expect(checkUrl('https://app.internal/', SHOP, ['public.example']).ok).toBe(true);
  expect(checkUrl('https://strange.example/', SHOP, ['public.example']).ok).toBe(false);
});

test('without a pool in a VPC, the policy stays as it is', () => {
  expect(policyOf('shop', 'default')).toBe('public');
  expect(checkUrl('https://app.internal/', policyOf('shop', 'default')).ok).toBe(false);
  expect(checkUrl('http://127.0.0.1/', withReach('loopback', accessOf('shop'))).ok).toBe(true);
});

describe('an address', () => {
  const EVERYTHING = { hosts: [], networks: ['0.0.0.0/0', '::/0'] };
  const NEVER = [
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '169.254.169.254', '169.254.170.2', '100.64.0.1', '100.127.1.1'],
    ...['224.0.0.1', '255.255.255.255', '::1', '::', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.1.2.3'],
    ...[
      'fd00:ec2::254',
      'fd00:ec2::253',
      'fe80::1',
      'ff02::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001::1',
    ],
  ];
  test.each(NEVER)('%s is never called', (address) => {
    expect(isReachable(address, EVERYTHING)).toBe(false);
  });

  test.each([
    ['10.1.0.0', true],
    ['10.1.255.255', true],
    ['10.0.255.255', false],
    ['10.2.0.0', false],
    ['93.184.216.34', false],
    ['fd12:3456::7', true],
    ['fd12:3457::7', false],
    ['fe80::1%eth0', false],
    ['app.internal', false],
  ])('%s is in the networks of the pool: %s', (address, isIn) => {
    expect(isReachable(address, accessOf('shop')!)).toBe(isIn);
  });

  test('of a private host has to be in the networks, and all of them are', async () => {
    const resolved = (host: string, ...addresses: string[]) =>
      resolveChecked(host, SHOP, async () => addresses.map((address) => ({ address, family: 4 }))).then(
        () => 'allowed',
        (error: Error) => error.name,
      );
    expect(await resolved('app.internal', '10.1.2.3', '10.1.2.4')).toBe('allowed');
    expect(await resolved('app.internal.', '10.1.2.3')).toBe('allowed');
    expect(await resolved('app.internal', '10.1.2.3', '10.2.0.1')).toBe('BlockedTargetError');
    expect(await resolved('app.internal', '93.184.216.34')).toBe('BlockedTargetError');
    expect(await resolved('app.internal', '169.254.169.254')).toBe('BlockedTargetError');
    expect(await resolved('public.example', '93.184.216.34')).toBe('allowed');
    expect(await resolved('public.example', '10.1.2.3')).toBe('BlockedTargetError');
  });
});

/** A network in which a server of this machine has every address that a call dials. */
async function network() {
  const calls: string[] = [];
  const server = await listenOnLoopback((request, response) => {
    calls.push(String(request.headers.host));
    response.end('inside');
  });
  const dialled: string[] = [];
  const agent = new https.Agent();
  agent.createConnection = ((options: { host: string; lookup: Finds }, connected: Connected) => {
    options.lookup(options.host, { all: true }, (error, addresses) => {
      if (error) return connected(error);
      dialled.push(...addresses.map(({ address }) => address));
      connected(null, connect(Number(new URL(server.url).port), '127.0.0.1'));
    });
  }) as unknown as typeof agent.createConnection;
  return { agent, server, calls, dialled };
}
type Finds = (
  host: string,
  options: { all: true },
  done: (error: Error | null, addresses: { address: string }[]) => void,
) => void;
type Connected = (error: Error | null, socket?: unknown) => void;

test('the address that was checked is the one that is dialled: a name that changes is refused', async () => {
  const { agent, server, calls, dialled } = await network();
  const resolve = found('10.1.2.3', '169.254.169.254', '127.0.0.1', '93.184.216.34', '10.1.2.4');
  const call = () =>
    callHttp(
      aTarget({ url: 'https://app.internal/hook' }),
      { body: Buffer.from('{}'), headers: {} },
      new AbortController().signal,
      { policy: SHOP, nowMs: () => 0, resolve, agent },
    );
  expect(await call()).toMatchObject({ outcome: 'succeeded', body: 'inside' });
  for (let time = 0; time < 3; time++)
    expect(await call()).toMatchObject({ outcome: 'fatal', reason: 'blocked-target' });
  expect(await call()).toMatchObject({ outcome: 'succeeded' });
  expect(dialled).toEqual(['10.1.2.3', '10.1.2.4']);
  expect(calls).toHaveLength(2);
  server.stop();
});
