import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

import { resolveChecked } from '../../../../lambdas/core/delivery/checked-lookup';
import { askNameServers } from '../../../../lambdas/core/delivery/name-servers';
import type { Clock } from '../../../../lambdas/core/clock/clock';
import { systemClock } from '../../../../lambdas/core/clock/system-clock';

const A = 1;
const CNAME = 5;
const AAAA = 28;
const NO_SUCH_NAME = 3;

interface Resource {
  type: number;
  data: Buffer;
}

const a = (address: string): Resource => ({ type: A, data: Buffer.from(address.split('.').map(Number)) });
const aaaa = (hex: string): Resource => ({ type: AAAA, data: Buffer.from(hex.padEnd(32, '0'), 'hex') });
const cname = (labels: readonly string[]): Resource => ({ type: CNAME, data: nameOf(labels) });
const nameOf = (labels: readonly string[]): Buffer =>
  Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)]);

/** The records of a name server by the first label of a name. `silence`: the server does not respond. */
type Zone = Record<string, readonly Resource[] | 'silence'>;
/** Labels whose next query is lost. */
const lost = new Set<string>();

let server: Socket;
let zone: Zone = {};

/** A response in the format of RFC 1035, as far as these tests need it. */
function responseTo(query: Buffer): Buffer | undefined {
  const label = query.subarray(13, 13 + query[12]!).toString();
  const known = zone[label];
  if (lost.delete(label)) return undefined;
  if (known === 'silence') return undefined;
  const endOfQuestion = query.indexOf(0, 12) + 5;
  const type = query.readUInt16BE(endOfQuestion - 4);
  const found = (known ?? []).filter((resource) => resource.type === type || resource.type === CNAME);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 + (known ? 0 : NO_SUCH_NAME), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found.length, 6);
  let owner: Uint8Array = Buffer.of(0xc0, 12); // the name of the question
  const resources = found.map((resource) => {
    const fixed = Buffer.alloc(10);
    fixed.writeUInt16BE(resource.type, 0);
    fixed.writeUInt16BE(1, 2);
    fixed.writeUInt16BE(resource.data.length, 8);
    const written = Buffer.concat([owner, fixed, resource.data]);
    if (resource.type === CNAME) owner = resource.data;
    return written;
  });
  return Buffer.concat([header, query.subarray(12, endOfQuestion), ...resources]);
}

beforeAll(async () => {
  server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const response = responseTo(query);
    if (response) server.send(response, port, address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const resolver = (clock: Pick<Clock, 'sleep'> = systemClock) =>
  askNameServers({ clock, servers: [`127.0.0.1:${(server.address() as AddressInfo).port}`] });

test('finds all addresses of a name, IPv4 and IPv6', async () => {
  zone = { both: [a('93.184.216.34'), a('10.0.0.1'), aaaa('2606470047')] };
  const found = await resolver()('both.example.org');
  expect(found.toSorted((one, other) => one.address.localeCompare(other.address))).toEqual([
    { address: '10.0.0.1', family: 4 },
    { address: '2606:4700:4700::', family: 6 },
    { address: '93.184.216.34', family: 4 },
  ]);
});

test('finds the addresses of a name with one family only, and of an alias', async () => {
  zone = {
    four: [a('93.184.216.34')],
    six: [aaaa('fd00')],
    alias: [cname(['db', 'internal']), a('10.1.2.3')],
  };
  const resolve = resolver();
  expect(await resolve('four.example.org')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  expect(await resolve('six.example.org')).toEqual([{ address: 'fd00::', family: 6 }]);
  for (const name of ['six.example.org', 'alias.example.org'])
    await expect(resolveChecked(name, 'public', resolve)).rejects.toThrow('does not allow');
});

test('fails at once for an unknown name and for a name without addresses', async () => {
  zone = { empty: [] };
  await expect(resolver()('gone.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolver()('empty.example.org')).rejects.toMatchObject({ code: 'ENODATA' });
});

test('repeats a query that was lost', async () => {
  zone = { four: [a('93.184.216.34')] };
  lost.add('four');
  expect(await resolver()('four.example.org')).toHaveLength(1);
});

test('gives up a query after one second, and no other query with it', async () => {
  zone = { silent: 'silence', four: [a('93.184.216.34')] };
  const slept: number[] = [];
  let timeIsUp = () => undefined as void;
  const resolve = resolver({
    sleep: (ms, signal) => {
      slept.push(ms);
      return new Promise<void>((over) => {
        if (slept.length === 1) timeIsUp = over;
        else signal?.addEventListener('abort', () => over());
      });
    },
  });
  const silent = resolve('silent.example.org');
  expect(await resolve('four.example.org')).toHaveLength(1);
  timeIsUp();
  await expect(silent).rejects.toMatchObject({ code: 'ETIMEOUT' });
  expect(slept).toEqual([1_000, 1_000, 1_000, 1_000]); // each name is asked for of both kinds
  expect(await resolve('four.example.org')).toHaveLength(1);
});
