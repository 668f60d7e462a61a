import { parseUrl } from './parse-url';

/** Longest host with a signing secret: a name of 253 characters, as DNS allows, and a port. */
const MAX_HOST_LENGTH = 259;
/** What a host cannot contain, and the URL parser would drop, decode or take for another part of a URL. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const NOT_IN_A_HOST = /[\u0000-\u0020\u007f-\u009f/?#@\\%]/;
const HTTPS_PORT = '443';

/**
 * The host whose signing secret signs calls of this URL: `example.com`, or `example.com:8443`. Lower case,
 * punycode, no dots at the end; with the port unless it is 443. Undefined if no secret can be asked for it:
 * the text is not a URL, or the host is longer than a name can be.
 */
export function signingHostOf(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (!parsed) return undefined;
  const { hostname, port, protocol } = parsed;
  const name = hostname.replace(/\.+$/, '');
  const calledPort = port || (protocol === 'http:' ? '80' : HTTPS_PORT);
  const host = calledPort === HTTPS_PORT ? name : `${name}:${calledPort}`;
  return name !== '' && host.length <= MAX_HOST_LENGTH ? host : undefined;
}

/** A signing host as a user names it: `Example.COM`, `bücher.example:8443`, `[::1]:9000`. */
export const parseSigningHost = (text: string): string | undefined =>
  text === '' || NOT_IN_A_HOST.test(text) ? undefined : signingHostOf(`https://${text}`);
