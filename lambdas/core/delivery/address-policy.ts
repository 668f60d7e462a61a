import { isIP } from 'node:net';

import { isAllowedAddress, isLoopback, type TargetPolicy } from './addresses';

/** Why a URL is refused. */
export type UrlRejection =
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
      url: URL;
      /** The host is a name: every address that it resolves to must be checked before connecting. */
      resolve: boolean;
    }
  | { ok: false; reason: UrlRejection; message: string };

export const MAX_URL_LENGTH = 2_048;
const PORTS = new Set(['', '443', '8443']);

/**
 * C0 and C1 controls, space and backslash: the URL parser drops or turns them, so what is read is not what is
 * called.
 */
// oxlint-disable-next-line no-control-regex -- controls are what it looks for
const FORBIDDEN_CHARACTERS = /[\u0000-\u0020\u007f-\u009f\\]/;

/** Names that mean something only inside a network, or this very machine. */
const PRIVATE_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;
/** Under these labels AWS answers for the services of a deployment like this one; some have several. */
const AWS_SERVICES = [
  ...['cognito-idp', 'ddb', 'dynamodb', 'streams-ddb', 'ec2', 'ec2messages', 'ecs', 'events', 'iam', 'kms'],
  ...['lambda', 'logs', 'streaming-logs', 'monitoring', 'queue', 'scheduler', 'secretsmanager', 'sns', 'sqs'],
  ...['ssm', 'ssmmessages', 'states', 'sync-states', 'sts'],
];
/**
 * AWS's own endpoints, an account's and a VPC's among them: what calls them with the right key is not a webhook. Gateways,
 * load balancers and buckets of users pass.
 */
const AWS_ENDPOINTS = [
  new RegExp(
    `(?:^|\\.)(?:${AWS_SERVICES.join('|')})(?:-fips)?\\.(?:[a-z0-9-]+\\.)?(?:vpce\\.)?amazonaws\\.com(?:\\.cn)?$`,
  ),
  /\.api\.(?:aws|amazonwebservices\.com\.cn)$/, // dual-stack
];
/** One dot makes a name fully qualified; with several it is none, and not what its parts look like. */
const SEVERAL_DOTS = /\.\.$/;
const LOOPBACK_NAMES = /(?:^|\.)localhost$/;

/**
 * Judges a target's URL without asking the network; a literal address is judged for good. The parsed host is
 * judged, never the text: the parser already turns `2130706433`, `0x7f.1` or `①②⑦.0.0.1` into what would be
 * connected to.
 *
 * `public` allows https to ports 443 and 8443 of public addresses. `loopback` also allows http and https to
 * any port of this machine. Where the deployment names hosts, `example.com` or `*.example.com`, any other is refused,
 * addresses too.
 */
export function checkUrl(text: string, policy: TargetPolicy, allowedHosts: readonly string[] = []): UrlCheck {
  if (text.length > MAX_URL_LENGTH)
    return rejected('length', `must have at most ${MAX_URL_LENGTH} characters`);
  if (FORBIDDEN_CHARACTERS.test(text)) {
    return rejected('characters', 'must not contain spaces, control characters or backslashes');
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) return rejected('parse', 'must be an absolute URL');

  const host = hostOf(url);
  if (allowedHosts.length > 0 && !allowedHosts.some((pattern) => isHostOf(pattern, host)))
    return rejected('host', `must lead to a host that this deployment allows: ${allowedHosts.join(', ')}`);
  const toLoopback = policy === 'loopback' && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !(toLoopback && url.protocol === 'http:')) {
    return rejected(
      'scheme',
      toLoopback ? 'must start with https:// or http://' : 'must start with https://',
    );
  }
  if (url.username || url.password)
    return rejected('credentials', 'must not contain a user name or password');
  if (text.includes('#')) return rejected('fragment', 'must not contain a fragment (#)');
  if (toLoopback ? url.port === '0' : !PORTS.has(url.port)) {
    return rejected('port', toLoopback ? 'must not name port 0' : 'must use port 443 or 8443');
  }
  if (SEVERAL_DOTS.test(url.hostname))
    return rejected(
      'name',
      `must not lead to a name that ends in several dots, ${JSON.stringify(url.hostname)}`,
    );
  if (toLoopback) return { ok: true, url, resolve: isIP(host) === 0 };
  return checkHost(url, host, policy);
}

/** The host as it is looked up: without the brackets of IPv6 and the dot of a fully qualified name, or several. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '');

/** Whether a host, as `hostOf` has it, is this very machine by its name or address. */
export const isLoopbackHost = (host: string): boolean => isLoopback(host) || LOOPBACK_NAMES.test(host);

/** `*.example.com` stands for every host below it, at any depth, and not for `example.com` itself. */
const isHostOf = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) && isIP(host) === 0 : host === pattern;

function checkHost(url: URL, host: string, policy: TargetPolicy): UrlCheck {
  if (isIP(host) !== 0) {
    if (isAllowedAddress(host, policy)) return { ok: true, url, resolve: false };
    return rejected('address', `must lead to a public address; ${host} is not one`);
  }
  if (!host.includes('.') || PRIVATE_NAMES.test(host)) {
    return rejected('name', `must lead to a public host; ${JSON.stringify(host)} is a private name`);
  }
  if (AWS_ENDPOINTS.some((endpoints) => endpoints.test(host)))
    return rejected('name', `must not lead to AWS's own endpoint ${host}`);
  return { ok: true, url, resolve: true };
}

const rejected = (reason: UrlRejection, message: string): UrlCheck => ({ ok: false, reason, message });
