import { isIP } from 'node:net';

import * as z from 'zod';

import { isHostOf } from '../../lambdas/core/contracts/pools';
import { byProjectOr } from './targets';

// What a configuration says about pools in a VPC, and their private hosts.

/** Networks that are private everywhere. Any other network may have metadata, or hosts of strangers. */
const PRIVATE = [
  { address: '10.0.0.0', bits: 8 },
  { address: '172.16.0.0', bits: 12 },
  { address: '192.168.0.0', bits: 16 },
  { address: 'fc00::', bits: 7 },
];
const CIDR_EXPECTED = 'expected a network in 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 or fc00::/7';

/** The bits of an address, as a text of `0` and `1`. */
function bitsOf(address: string): string {
  if (isIP(address) === 4)
    return address
      .split('.')
      .map((part) => Number(part).toString(2).padStart(8, '0'))
      .join('');
  // The parser of URLs writes the shortest form.
  const [head = '', tail = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array<string>(8 - before!.length - after!.length).fill('0');
  return [...before!, ...zeros, ...after!]
    .map((part) => Number.parseInt(part, 16).toString(2).padStart(16, '0'))
    .join('');
}

function isPrivateNetwork(text: string): boolean {
  const [, address = '', length = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/.exec(text) ?? [];
  const family = isIP(address);
  const bits = Number(length);
  if (family === 0 || bits > (family === 4 ? 32 : 128)) return false;
  const given = bitsOf(address);
  if (/1/.test(given.slice(bits))) return false;
  return PRIVATE.some(
    (one) =>
      isIP(one.address) === family &&
      bits >= one.bits &&
      given.slice(0, one.bits) === bitsOf(one.address).slice(0, one.bits),
  );
}

const LISTED = 'expected 1 to 20 entries';

/** The networks whose addresses a pool in a VPC may call. */
export const PrivateCidrs = z
  .array(z.string().refine(isPrivateNetwork, CIDR_EXPECTED))
  .min(1, LISTED)
  .max(20, LISTED);

/** Where the executors of a pool are. Lambda takes at most 16 subnets and 5 security groups. */
export const Vpc = z.strictObject({
  subnetIds: z
    .array(
      z
        .string()
        .regex(/^subnet-[0-9a-f]{8,17}$/, 'expected the id of a subnet, like subnet-0123456789abcdef0'),
    )
    .min(1, 'expected 1 to 16 subnets')
    .max(16, 'expected 1 to 16 subnets'),
  securityGroupIds: z
    .array(
      z
        .string()
        .regex(/^sg-[0-9a-f]{8,17}$/, 'expected the id of a security group, like sg-0123456789abcdef0'),
    )
    .min(1, 'expected 1 to 5 security groups')
    .max(5, 'expected 1 to 5 security groups'),
});
export type Vpc = z.output<typeof Vpc>;

const PRIVATE_HOST = /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const LOOPBACK = /(^|\.)localhost$/;

/** Hosts in private networks: `app`, `app.internal`, `*.corp.example`, or an IPv4 address. */
const PrivateHosts = z
  .array(
    z
      .string()
      .max(253)
      .refine(
        (host) => PRIVATE_HOST.test(host) && !LOOPBACK.test(host),
        'expected a host in lower case, like app.internal, *.corp.example or 10.0.3.7, without a port',
      ),
  )
  .min(1, 'expected at least one host');

export const AllowedPrivateHosts = byProjectOr(
  PrivateHosts,
  'expected hosts in lower case, like app.internal, *.corp.example or 10.0.3.7, or a list for each project',
);

interface Reaching {
  pools: Readonly<Record<string, { privateCidrs?: readonly string[] | undefined }>>;
  allowedPrivateHosts?: readonly string[] | Readonly<Record<string, readonly string[]>> | undefined;
  domain?: { name: string } | undefined;
}

/** Private hosts that no pool could call, or that are the API itself. */
export function rejectUnreachable(
  { pools, allowedPrivateHosts, domain }: Reaching,
  reject: (path: string, message: string) => void,
): void {
  if (!allowedPrivateHosts) return;
  const hosts = Object.values(allowedPrivateHosts).flat();
  if (!Object.values(pools).some(({ privateCidrs }) => privateCidrs))
    reject('allowedPrivateHosts', 'expected only with a pool that has vpc and privateCidrs');
  if (domain && hosts.some((host) => isHostOf(host, domain.name)))
    reject('allowedPrivateHosts', `expected no entry for the API itself, ${domain.name}`);
}
