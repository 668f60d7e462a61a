import { BlockList, isIP } from 'node:net';

import { isHostOf } from '../contracts/pools';
import type { PrivateReach } from '../contracts/target-resources';

/**
 * `public`: only public addresses. `loopback`: addresses of this machine too, for a local run. An object: as
 * `loopback`, and hosts of a private network by their names or addresses.
 */
export type StagePolicy = 'public' | 'loopback' | { readonly privateHosts: readonly string[] };

/** What a stage allows; of a pool in a VPC, with what that may call besides. */
export type TargetPolicy = StagePolicy | { readonly stage: StagePolicy; readonly reach: PrivateReach };

const stageOf = (policy: TargetPolicy): StagePolicy =>
  typeof policy === 'object' && 'stage' in policy ? policy.stage : policy;

/** The policy with what a pool may call besides. */
export const withReach = (policy: TargetPolicy, reach: PrivateReach | undefined): TargetPolicy =>
  reach ? { stage: stageOf(policy), reach } : policy;

/** The networks that a host, in lower case, has to be in; undefined if the rules of the stage are for it. */
export const reachTo = (host: string, policy: TargetPolicy): PrivateReach | undefined =>
  typeof policy === 'object' && 'reach' in policy && policy.reach.hosts.some((one) => isHostOf(one, host))
    ? policy.reach
    : undefined;

/** Whether targets may be on this machine. */
export const allowsLoopback = (policy: TargetPolicy): boolean => stageOf(policy) !== 'public';

/** The hosts of a private network that a local run allows. */
export function localHostsOf(policy: TargetPolicy): readonly string[] {
  const stage = stageOf(policy);
  return typeof stage === 'object' ? stage.privateHosts : [];
}

/** Whether a local run names this host, in lower case and without a dot at its end. */
export const isPrivateHost = (host: string, policy: TargetPolicy): boolean =>
  localHostsOf(policy).includes(host);

function ranges(family: 'ipv4' | 'ipv6', list: readonly `${string}/${number}`[]): BlockList {
  const block = new BlockList();
  for (const range of list) {
    const slash = range.indexOf('/');
    block.addSubnet(range.slice(0, slash), Number(range.slice(slash + 1)), family);
  }
  return block;
}

/** IANA's special-purpose IPv4 ranges that are not globally reachable, and the deprecated 6to4 relays. */
const RESERVED_IPV4 = ranges('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT, and metadata of some clouds
  '127.0.0.0/8', // loopback: the Lambda runtime API listens here
  '169.254.0.0/16', // link-local: instance metadata and container credentials
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]);

/**
 * Only global unicast is assigned to public hosts. Everything outside it is not allowed: loopback,
 * unspecified, link-local, unique local, multicast, IPv4-mapped, IPv4-compatible, NAT64 and discard.
 */
const GLOBAL_IPV6 = ranges('ipv6', ['2000::/3']);

/** Parts of global unicast that are not public, mostly because they contain an IPv4 address. */
const RESERVED_IPV6 = ranges('ipv6', [
  '2001::/23', // protocol assignments, Teredo among them
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
]);

const LOOPBACK_IPV6 = ranges('ipv6', ['::1/128']);

/**
 * Whether a connection to a literal address is allowed. False for a text that is no address, or has a zone
 * id.
 */
export function isAllowedAddress(address: string, policy: TargetPolicy): boolean {
  if (allowsLoopback(policy) && isLoopback(address)) return true;
  switch (isIP(address)) {
    case 4:
      return !RESERVED_IPV4.check(address, 'ipv4');
    case 6: {
      if (address.includes('%')) return false;
      const reserved = RESERVED_IPV6.check(address, 'ipv6') || isIsatap(address);
      return GLOBAL_IPV6.check(address, 'ipv6') && !reserved;
    }
    default:
      return false;
  }
}

/** Whether a literal address is of this machine: 127.0.0.0/8 or ::1. False for IPv4 addresses inside IPv6. */
export function isLoopback(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return address.startsWith('127.'); // 127.0.0.0/8: an IPv4 address has one spelling alone
    case 6:
      return !address.includes('%') && LOOPBACK_IPV6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address is of ISATAP: any prefix, then 0000:5efe or 0200:5efe, then an IPv4 address. */
function isIsatap(ipv6: string): boolean {
  const [head, tail] = new URL(`http://[${ipv6}]`).hostname.slice(1, -1).split('::');
  const before = head ? head.split(':') : [];
  const after = tail ? tail.split(':') : [];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const [, , , , , fifth, sixth] = ['', ...before, ...zeros, ...after];
  return (fifth === '0' || fifth === '200') && sixth === '5efe';
}

/** Whether an address is in one of the networks, and in none that is never called, whatever they contain. */
export function isReachable(address: string, { networks }: PrivateReach): boolean {
  const family = familyOf(address);
  return (
    family !== undefined &&
    !address.includes('%') &&
    !blockOf(NEVER_CALLED, family).check(address, family) &&
    blockOf(networks, family).check(address, family)
  );
}

type Family = 'ipv4' | 'ipv6';
const FAMILIES: Readonly<Record<number, Family>> = { 4: 'ipv4', 6: 'ipv6' };
const familyOf = (address: string): Family | undefined => FAMILIES[isIP(address)];

const blocks: Record<Family, WeakMap<readonly string[], BlockList>> = {
  ipv4: new WeakMap(),
  ipv6: new WeakMap(),
};

/** The networks of one family: a list of both takes an IPv4 address for the IPv6 one that contains it. */
function blockOf(networks: readonly string[], family: Family): BlockList {
  const known = blocks[family].get(networks);
  if (known) return known;
  const block = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (familyOf(address) === family) block.addSubnet(address, Number(bits), family);
  }
  blocks[family].set(networks, block);
  return block;
}

/** What may never be called: the machine itself, metadata, the network's own services, no single host. */
const NEVER_CALLED: readonly string[] = [
  '0.0.0.0/8', // this network
  '100.64.0.0/10', // carrier-grade NAT, and metadata of some clouds
  '127.0.0.0/8', // loopback: the Lambda runtime API listens here
  '169.254.0.0/16', // link-local: metadata, credentials, and name servers
  '224.0.0.0/3', // multicast, reserved, broadcast
  '::/96', // unspecified, loopback, and IPv4-compatible
  '::ffff:0:0/96', // IPv4-mapped
  '64:ff9b::/32', // NAT64
  '2001::/32', // Teredo
  '2002::/16', // 6to4
  'fd00:ec2::/32', // metadata, name servers and time of AWS
  'fe80::/10', // link-local
  'ff00::/8', // multicast
];
