import http from 'node:http';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo, LookupFunction } from 'node:net';

import {
  BlockedTargetError,
  checkedLookup,
  onceEach,
  rejectionOf,
  resolveChecked,
} from '../../../../lambdas/core/delivery/checked-lookup';

const resolvesTo =
  (...addresses: string[]) =>
  () =>
    Promise.resolve(
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

type Options = Parameters<LookupFunction>[1];
const lookupWith = (lookup: LookupFunction, options: Options): Promise<unknown> =>
  new Promise((resolve, reject) => {
    lookup('a.org', options, (error, address, family) =>
      error ? reject(error) : resolve(family ? [address, family] : address),
    );
  });

describe('a name', () => {
  it('is allowed if all its addresses are', async () => {
    const found = await resolveChecked(
      'a.org',
      'public',
      resolvesTo('93.184.216.34', '2606:4700:4700::1111'),
    );
    expect(found.map(({ address }) => address)).toEqual(['93.184.216.34', '2606:4700:4700::1111']);
  });

  it.each([
    [['127.0.0.1']],
    [['93.184.216.34', '10.0.0.1']],
    [['93.184.216.34', '::1']],
    [['2606:4700:4700::1111', 'fd00:ec2::254']],
    [['::ffff:93.184.216.34']],
    [['fe80::1%eth0']],
  ])('is blocked if any of %j is not public', async (addresses) => {
    await expect(resolveChecked('a.org', 'public', resolvesTo(...addresses))).rejects.toThrow(
      BlockedTargetError,
    );
  });

  it('may resolve to this machine under policy loopback, but to no other private address', async () => {
    await expect(
      resolveChecked('localhost', 'loopback', resolvesTo('127.0.0.1', '::1')),
    ).resolves.toHaveLength(2);
    await expect(resolveChecked('a.org', 'loopback', resolvesTo('127.0.0.1', '10.0.0.1'))).rejects.toThrow(
      BlockedTargetError,
    );
  });

  it('may resolve to any address if it is a private host that the policy names', async () => {
    const policy = { privateHosts: ['app'] };
    await expect(resolveChecked('app', policy, resolvesTo('172.18.0.3'))).resolves.toHaveLength(1);
    await expect(resolveChecked('app.', policy, resolvesTo('172.18.0.3'))).resolves.toHaveLength(1);
    await expect(resolveChecked('db', policy, resolvesTo('172.18.0.3'))).rejects.toThrow(BlockedTargetError);
  });

  it('fails like the resolver, or if it has no address; neither blocks the target', async () => {
    const gone = Object.assign(new Error('getaddrinfo ENOTFOUND a.org'), { code: 'ENOTFOUND' });
    await expect(resolveChecked('a.org', 'public', () => Promise.reject(gone))).rejects.toBe(gone);
    await expect(resolveChecked('a.org', 'public', resolvesTo())).rejects.not.toThrow(BlockedTargetError);
  });
});

describe('the check of a name before a delivery', () => {
  it('rejects with the message of the delivery that would be blocked', async () => {
    const resolve = resolvesTo('93.184.216.34', '10.0.0.1');
    const blocked = await resolveChecked('a.org', 'public', resolve).catch((error: Error) => error.message);
    expect(await rejectionOf('a.org', 'public', resolve)).toBe(blocked);
    expect(blocked).toBe('a.org resolves to an address that the target policy does not allow');
  });

  it('accepts a name that is public or cannot be resolved', async () => {
    expect(await rejectionOf('a.org', 'public', resolvesTo('93.184.216.34'))).toBeUndefined();
    expect(await rejectionOf('a.org', 'public', resolvesTo())).toBeUndefined();
    expect(
      await rejectionOf('a.org', 'public', () => Promise.reject(new Error('queryA ENOTFOUND'))),
    ).toBeUndefined();
  });
});

it('each name is resolved once, even if that fails', async () => {
  const resolved: string[] = [];
  const resolve = onceEach(async (hostname) => {
    resolved.push(hostname);
    if (hostname === 'gone.org') throw new Error('queryA ENOTFOUND');
    return resolvesTo('93.184.216.34')();
  });
  const all = ['a.org', 'b.org', 'a.org', 'gone.org', 'gone.org'].map(resolve);
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(resolved).toEqual(['a.org', 'b.org', 'gone.org']);
});

describe('the lookup of a socket', () => {
  const lookup = checkedLookup('public', resolvesTo('93.184.216.34', '2606:4700:4700::1111'));

  it('returns the checked addresses of the requested family: all, or the first', async () => {
    expect(await lookupWith(lookup, { all: true })).toHaveLength(2);
    expect(await lookupWith(lookup, {})).toEqual(['93.184.216.34', 4]);
    expect(await lookupWith(lookup, { family: 6 })).toEqual(['2606:4700:4700::1111', 6]);
    expect(await lookupWith(lookup, { family: 'IPv4' })).toEqual(['93.184.216.34', 4]);
    await expect(
      lookupWith(checkedLookup('public', resolvesTo('93.184.216.34')), { family: 6 }),
    ).rejects.toThrow('family 6');
  });

  it('fails the connection if the policy blocks it', async () => {
    await expect(lookupWith(checkedLookup('public', resolvesTo('10.0.0.1')), { all: true })).rejects.toThrow(
      BlockedTargetError,
    );
  });

  it('resolves once for each connection, and connects to the resolved address', async () => {
    const server = http.createServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    let resolved = 0;
    const resolve = () => {
      resolved += 1;
      return resolvesTo('127.0.0.1')();
    };
    const status = await new Promise((settle, fail) => {
      const url = `http://name.that.is.nowhere.example:${port}/`;
      const request = http.get(
        url,
        { lookup: checkedLookup('loopback', resolve), agent: false },
        (response) => {
          response.resume();
          settle(response.statusCode);
        },
      );
      request.once('error', fail);
    });
    await new Promise((closed) => server.close(closed));
    expect([status, resolved]).toEqual([200, 1]);
  });
});

it('a request asks for 20 names at most; the others count as unresolved, so they do not block', async () => {
  const asked: string[] = [];
  const resolve = onceEach(async (hostname) => {
    asked.push(hostname);
    return resolvesTo('10.0.0.1')();
  });
  const names = Array.from({ length: 25 }, (_, index) => `h${index}.org`);
  const rejections = await Promise.all(
    [...names, ...names].map((name) => rejectionOf(name, 'public', resolve)),
  );
  expect(asked).toEqual(names.slice(0, 20));
  expect(rejections.filter((rejection) => rejection !== undefined)).toHaveLength(40);
});
