import { parseUrl } from '../../domain/parse-url';
import { putSecretsInto, secretNameIn } from '../../domain/secret-reference';
import { MAX_SECRET_REFERENCES } from '../../domain/secret';
import {
  authReferencesOf,
  referencesOf,
  secretUsesOf,
  tlsFieldAt,
  urlWithoutSecrets,
} from '../../domain/target-secrets';
import type { ClientTls, HttpTarget, OAuth2, TargetAuth } from '../../domain/target';
import { isHeaderValue } from '../../domain/target-limits';
import type { TargetResult } from '../../domain/target-result';
import { mayGoTo, onlyHostOf } from '../address-policy';
import type { HiddenValue } from './needles';
import type { OpenSecret, SecretReader } from './secret-values';

/** A call that cannot be made. The message names secrets, never their values. */
export class SecretFault extends Error {
  override readonly name = 'SecretFault';

  constructor(
    readonly kind: 'blocked-target' | 'bad-input' | 'bad-auth' | 'retriable',
    message: string,
  ) {
    super(message);
  }

  /** The result of the call. */
  result(): TargetResult {
    const { kind, message } = this;
    if (kind === 'retriable') return { outcome: 'retriable', error: message };
    return { outcome: 'fatal', reason: kind, error: message };
  }
}

/** What an access token is fetched with. */
export interface Grant {
  project: string;
  tokenUrl: string;
  clientId: OpenSecret;
  clientSecret: OpenSecret;
  scope: string | undefined;
  audience: string | undefined;
  clientAuth: OAuth2['clientAuth'];
}

/** The secrets of a `tls`, by its fields. */
export interface TlsSecrets extends Partial<Record<keyof ClientTls, OpenSecret>> {
  project: string;
}

export interface RenderedTarget {
  /** Without references, `auth` and `tls`: the values are in its URL and headers. */
  target: HttpTarget;
  /** What the handshake needs. */
  tls: TlsSecrets | undefined;
  /** The call also needs an access token. */
  grant: Grant | undefined;
  hidden: HiddenValue[];
}

/** Whether a call of the target needs any secret. */
export const usesSecrets = ({ auth, tls, url, headers }: HttpTarget): boolean =>
  auth !== undefined ||
  tls !== undefined ||
  url.includes('{{') ||
  Object.values(headers).some((value) => value.includes('{{'));

/**
 * The target with its secrets put in. Each of them may go to the target's host, and those of OAuth to the
 * token endpoint. Throws `SecretFault`.
 */
export async function renderTarget(
  target: HttpTarget,
  project: string,
  read: SecretReader,
): Promise<RenderedTarget> {
  if (referencesOf(target) > MAX_SECRET_REFERENCES)
    throw new SecretFault('bad-input', `the target names secrets more than ${MAX_SECRET_REFERENCES} times`);
  const uses = secretUsesOf(target);
  const names = [...new Set(uses.map(({ name }) => name))];
  const secrets = new Map<string, OpenSecret>();
  await Promise.all(
    names.map(async (name) => {
      const secret = await readOrFault(project, name, read);
      secrets.set(name, secret);
    }),
  );
  const secretOf = (name: string): OpenSecret => secrets.get(name)!;
  checkHosts(target, secrets);
  const sent = [...new Set(uses.flatMap(({ path, name }) => (tlsFieldAt(path) ? [] : [secretOf(name)])))];
  for (const { name, kind } of sent)
    if (kind === 'pem')
      throw new SecretFault('bad-input', `secret ${name} is of kind pem: only tls may name it`);
  const url = putSecretsInto(target.url, (name) => valueInUrl(target, secretOf(name)));
  const headers = Object.fromEntries(
    Object.entries(target.headers).map(([name, text]) => [
      name,
      printable(
        name,
        putSecretsInto(text, (secret) => secretOf(secret).value),
      ),
    ]),
  );
  const { auth, tls: _, ...rest } = target;
  const byField = (field: string) => secretOf(secretNameIn(authReferencesOf(auth!)[field]!)!);
  return {
    target: { ...rest, url, headers: { ...headers, ...(auth && authHeaders(auth, byField)) } },
    tls: target.tls && tlsOf(url, { project, ...ofTls(uses, secretOf) }),
    grant: auth?.type === 'oauth2' ? grantOf(project, auth, byField) : undefined,
    hidden: sent.map(({ name, value }) => ({ name, value })),
  };
}

const ofTls = (
  uses: readonly { path: string; name: string }[],
  secretOf: (name: string) => OpenSecret,
): Omit<TlsSecrets, 'project'> =>
  Object.fromEntries(
    uses.flatMap(({ path, name }) => {
      const field = tlsFieldAt(path);
      return field ? [[field, secretOf(name)]] : [];
    }),
  );

/** A URL that is a secret as a whole is known at the call alone. */
function tlsOf(url: string, secrets: TlsSecrets): TlsSecrets {
  if (/^http:/i.test(url))
    throw new SecretFault('bad-input', 'tls needs a target.url that starts with https://');
  return secrets;
}

async function readOrFault(project: string, name: string, read: SecretReader): Promise<OpenSecret> {
  let secret: OpenSecret | undefined;
  try {
    secret = await read(project, name);
  } catch (error) {
    throw new SecretFault('retriable', `secret ${name} could not be read: ${(error as Error).name}`);
  }
  if (!secret) throw new SecretFault('bad-input', `there is no secret ${name} in the project`);
  return secret;
}

/** The hosts may have changed since the job was saved. */
function checkHosts(target: HttpTarget, secrets: ReadonlyMap<string, OpenSecret>): void {
  const wholeUrl = secretNameIn(target.url);
  const whole = wholeUrl === undefined ? undefined : secrets.get(wholeUrl)!;
  const text = whole ? whole.value : urlWithoutSecrets(target);
  const url = parseUrl(text);
  if (whole && !url) throw new SecretFault('bad-input', `secret ${whole.name} is not a URL`);
  if (whole && onlyHostOf(whole) === undefined)
    throw new SecretFault(
      'blocked-target',
      `secret ${whole.name} is a URL, so it must name exactly one host`,
    );
  if (!url) return; // the check of the URL says why
  for (const { name, hosts } of secrets.values())
    if (!mayGoTo(url, hosts))
      throw new SecretFault('blocked-target', `the target's host is not one of the hosts of secret ${name}`);
}

/** In a query, a value is percent-encoded; as the whole URL, it stays as it is. */
const valueInUrl = ({ url }: HttpTarget, { value }: OpenSecret): string =>
  secretNameIn(url) === undefined ? encodeURIComponent(value) : value;

function authHeaders(auth: TargetAuth, byField: (field: string) => OpenSecret): Record<string, string> {
  switch (auth.type) {
    case 'bearer':
      return { authorization: `Bearer ${printable('authorization', byField('token').value)}` };
    case 'basic':
      return { authorization: basicOf(byField('username').value, byField('password').value) };
    case 'header':
      return { [auth.name]: printable(auth.name, byField('value').value) };
    case 'aws':
    case 'oauth2':
      return {}; // a token is fetched; a signature needs the whole request
  }
}

/** RFC 7617, in UTF-8. */
export const basicOf = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;

function printable(header: string, value: string): string {
  if (isHeaderValue(value)) return value;
  throw new SecretFault(
    'bad-input',
    `the secrets of header ${header} have characters that no header can have`,
  );
}

function grantOf(project: string, auth: OAuth2, byField: (field: string) => OpenSecret): Grant {
  const [clientId, clientSecret] = [byField('clientId'), byField('clientSecret')];
  const { tokenUrl, scope, audience, clientAuth } = auth;
  const endpoint = parseUrl(tokenUrl);
  for (const { name, hosts } of [clientId, clientSecret])
    if (!endpoint || !mayGoTo(endpoint, hosts))
      throw new SecretFault(
        'blocked-target',
        `the host of auth.tokenUrl is not one of the hosts of secret ${name}`,
      );
  return { project, tokenUrl, clientId, clientSecret, scope, audience, clientAuth };
}
