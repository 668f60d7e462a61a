import { isIP } from 'node:net';

import { isHostOf } from '../contracts/pools';
import type { PrivateReach } from '../contracts/target-resources';
import { parseUrl } from '../domain/parse-url';
import {
  allowsLoopback,
  isAllowedAddress,
  isLoopback,
  isPrivateHost,
  isReachable,
  localHostsOf,
  reachTo,
  type TargetPolicy,
} from './addresses';

/** Why a URL is rejected. */
type UrlRejection =
  | 'length'
  | 'characters'
  | 'parse'
  | 'scheme'
  | 'credentials'
  | 'fragment'
  | 'port'
  | 'address'
  | 'name'
  | 'host';

export type UrlCheck =
  | {
      ok: true;
      url: Readonly<URL>;
      /** The host is a name. Every address that it resolves to must be checked before connecting. */
      resolve: boolean;
    }
  | { ok: false; reason: UrlRejection; message: string };

export const MAX_URL_LENGTH = 2_048;
const PORTS = new Set(['', '443', '8443']);

/**
 * C0 and C1 controls, space and backslash. The URL parser drops or replaces them, so the URL that a person
 * reads would not be the URL that is called.
 */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const FORBIDDEN_CHARACTERS = /[\u0000-\u0020\u007f-\u009f\\]/;

/** A user name or password before the host; the URL parser hides empty ones. */
const WITH_CREDENTIALS = /^[^:/?#]+:\/*[^/?#]*@/;

/** Names that have a meaning only inside a network or on this machine. */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;
/** Labels of the endpoints of AWS services that a deployment uses. Some services have several. */
const AWS_SERVICES = [
  ...['cognito-idp', 'ddb', 'dynamodb', 'streams-ddb', 'ec2', 'ec2messages', 'ecs', 'events', 'iam', 'kms'],
  ...['lambda', 'logs', 'streaming-logs', 'monitoring', 'queue', 'scheduler', 'secretsmanager', 'sns', 'sqs'],
  ...['ssm', 'ssmmessages', 'states', 'sync-states', 'sts'],
];
/**
 * Endpoints of AWS itself, including those of an account and of a VPC. A signed call to them is not a
 * webhook. Gateways, load balancers and buckets of users are allowed.
 */
const AWS_ENDPOINTS = [
  new RegExp(
    `(?:^|\\.)(?:${AWS_SERVICES.join('|')})(?:-fips)?\\.(?:[a-z0-9-]+\\.)?(?:vpce\\.)?amazonaws\\.com(?:\\.cn)?$`,
  ),
  /\.api\.(?:aws|amazonwebservices\.com\.cn)$/, // dual-stack
];
/** One dot at the end makes a name fully qualified. Several dots make no valid name. */
const SEVERAL_DOTS = /\.\.$/;
const LOOPBACK_NAMES = /(?:^|\.)localhost$/;

/** What is checked with other rules than these is checked anew. */
let rulesOfKnown: { policy: TargetPolicy; allowedHosts: readonly string[] } | undefined;
const known = new Map<string, UrlCheck>();
const MOST_KNOWN = 200;
const ANY_HOST: readonly string[] = [];

/** Checks a URL with secrets in it. Its length counts for nothing, so that it does not tell theirs. */
export const checkUrlOfCall = (
  text: string,
  policy: TargetPolicy,
  allowedHosts: readonly string[] = ANY_HOST,
): UrlCheck =>
  text.length > MAX_URL_LENGTH
    ? checkUrlAnew(text, policy, allowedHosts)
    : checkUrl(text, policy, allowedHosts);

/** `checkUrlAnew`, once for the URLs of late: each is checked several times for its job and at each call. */
export function checkUrl(
  text: string,
  policy: TargetPolicy,
  allowedHosts: readonly string[] = ANY_HOST,
): UrlCheck {
  if (text.length > MAX_URL_LENGTH)
    return rejected('length', `must have at most ${MAX_URL_LENGTH} characters`);
  if (typeof policy === 'object' && 'reach' in policy) return checkUrlAnew(text, policy, allowedHosts);
  if (rulesOfKnown?.policy !== policy || rulesOfKnown.allowedHosts !== allowedHosts) {
    rulesOfKnown = { policy, allowedHosts };
    known.clear();
  }
  let check = known.get(text);
  if (!check) {
    if (known.size === MOST_KNOWN) known.clear();
    known.set(text, (check = checkUrlAnew(text, policy, allowedHosts)));
  }
  return check;
}

/**
 * Checks the URL of a target without using the network. For a literal address the result is final. Checks the
 * parsed host, never the text: the parser turns `2130706433`, `0x7f.1` or `①②⑦.0.0.1` into the address that
 * would be called.
 *
 * `public` allows https to ports 443 and 8443 of public addresses. `loopback` also allows http and https to
 * any port of this machine, and private hosts are like this machine. If the deployment names hosts
 * (`example.com` or `*.example.com`), all others are rejected, literal addresses too. A private host of a
 * pool in a VPC may have any port, and http.
 */
function checkUrlAnew(text: string, policy: TargetPolicy, allowedHosts: readonly string[]): UrlCheck {
  if (FORBIDDEN_CHARACTERS.test(text)) {
    return rejected('characters', 'must not contain spaces, control characters or backslashes');
  }
  const url = parseUrl(text);
  if (!url) return rejected('parse', 'must be an absolute URL');

  const host = hostOf(url);
  const reach = reachTo(host, policy);
  if (!reach && allowedHosts.length > 0 && !allowedHosts.some((pattern) => isHostOf(pattern, host)))
    return rejected('host', `must lead to a host that this deployment allows: ${allowedHosts.join(', ')}`);
  const isLocal =
    reach !== undefined || (allowsLoopback(policy) && isLoopbackHost(host)) || isPrivateHost(host, policy);
  if (url.protocol !== 'https:' && !(isLocal && url.protocol === 'http:')) {
    return rejected('scheme', schemeMessage(url, { host, isLocal }, policy));
  }
  if (WITH_CREDENTIALS.test(text)) return rejected('credentials', 'must not contain a user name or password');
  if (text.includes('#')) return rejected('fragment', 'must not contain a fragment (#)');
  if (isLocal ? url.port === '0' : !PORTS.has(url.port)) {
    return rejected('port', isLocal ? 'must not name port 0' : 'must use port 443 or 8443');
  }
  if (SEVERAL_DOTS.test(url.hostname))
    return rejected(
      'name',
      `must not lead to a name that ends in several dots, ${JSON.stringify(url.hostname)}`,
    );
  if (reach) return checkReach(url, host, reach);
  if (isLocal) return { ok: true, url, resolve: isIP(host) === 0 };
  return checkHost(url, host, policy);
}

/** The host as it is resolved: without the brackets of IPv6, and without dots at its end. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');

/** Whether a host, as `hostOf` returns it, is a name or an address of this machine. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host) || LOOPBACK_NAMES.test(host);

/** The rule; for http also why this host may not use it, and the setting. */
function schemeMessage(
  { protocol }: URL,
  { host, isLocal }: { host: string; isLocal: boolean },
  policy: TargetPolicy,
): string {
  if (isLocal) return 'must start with https:// or http://';
  const rule = 'must start with https://';
  const setting = 'see targetPolicy in docs/configuration.md';
  if (protocol !== 'http:') return rule;
  if (allowsLoopback(policy)) {
    const hosts = localHostsOf(policy);
    const others = hosts.length > 0 ? `, and for ${hosts.join(', ')}` : '';
    const why = `http is for this machine only (localhost, 127.0.0.1, [::1])${others}`;
    const flag = `npm start -- --private-host ${host} allows this host`;
    return `${rule}: ${why}, because it is not encrypted on a network; ${flag}; ${setting}`;
  }
  if (!isLoopbackHost(host)) return rule;
  return `${rule}: only a local run without --strict-targets calls this machine by http; ${setting}`;
}

function checkReach(url: URL, host: string, reach: PrivateReach): UrlCheck {
  if (isAwsEndpoint(host)) return awsEndpoint(host);
  const isName = isIP(host) === 0;
  if (isName ? !LOOPBACK_NAMES.test(host) : isReachable(host, reach))
    return { ok: true, url, resolve: isName };
  return rejected('address', `must lead to an address in the networks of its pool; ${host} is not one`);
}

/** Whether something that goes to these hosts only may go to a URL. */
export const mayGoTo = (url: URL, hosts: readonly string[]): boolean =>
  hosts.some((pattern) => isHostOf(pattern, hostOf(url)));

/** The one host of a secret that may be a whole URL; undefined if it names several, or a pattern. */
export const onlyHostOf = ({ hosts }: { hosts: readonly string[] }): string | undefined =>
  hosts.length === 1 && !hosts[0]!.startsWith('*.') ? hosts[0] : undefined;

/** The URL at the root of a host, for checks of the host alone. */
export const rootUrlOf = (host: string): string => `https://${host.includes(':') ? `[${host}]` : host}/`;

function checkHost(url: URL, host: string, policy: TargetPolicy): UrlCheck {
  if (isIP(host) !== 0) {
    if (isAllowedAddress(host, policy)) return { ok: true, url, resolve: false };
    return rejected('address', `must lead to a public address; ${host} is not one`);
  }
  if (!host.includes('.') || PRIVATE_NAMES.test(host)) {
    return rejected('name', `must lead to a public host; ${JSON.stringify(host)} is a private name`);
  }
  if (isAwsEndpoint(host)) return awsEndpoint(host);
  return { ok: true, url, resolve: true };
}

const isAwsEndpoint = (host: string): boolean => AWS_ENDPOINTS.some((endpoints) => endpoints.test(host));
const awsEndpoint = (host: string): UrlCheck =>
  rejected('name', `must not lead to AWS's own endpoint ${host}`);

const rejected = (reason: UrlRejection, message: string): UrlCheck => ({ ok: false, reason, message });
