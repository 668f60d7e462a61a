import { httpTargetOf, isIncidentTarget } from '../../domain/incident';
import { parseUrl } from '../../domain/parse-url';
import { mentionsSecrets } from '../../domain/secret-reference';
import { MAX_SECRET_REFERENCES, type Secret } from '../../domain/secret';
import {
  isSecretUrl,
  referencesOf,
  type SecretUse,
  secretUsesOf,
  tlsFieldAt,
  urlWithoutSecrets,
} from '../../domain/target-secrets';
import type { HttpTarget, Target } from '../../domain/target';
import { checkUrl, mayGoTo, onlyHostOf, rootUrlOf } from '../address-policy';
import type { TargetRules } from '../targets/target-type';

/** A field of a target, and what is wrong with it. */
interface Fault {
  path: string;
  message: string;
}

/** What is known of each secret that exists, by its name. */
export type KnownSecrets = ReadonlyMap<string, Pick<Secret, 'hosts' | 'pem'>>;

/**
 * What is wrong with the secrets of a target. One may not exist, not have what its field needs, or not be for
 * the host of the target or of the token endpoint. The messages do not name the hosts of a secret.
 */
export function faultsOfSecrets(
  target: Target,
  known: KnownSecrets,
  rules: Pick<TargetRules, 'targetPolicy' | 'allowedTargetHosts'>,
): Fault[] {
  if (isIncidentTarget(target)) {
    const { path } = secretUsesOf(target)[0]!;
    return faultsOfSecrets(httpTargetOf(target), known, rules).map((fault) => ({ ...fault, path }));
  }
  if (target.type !== 'http') return faultsOfAwsTarget(target);
  const uses = secretUsesOf(target);
  const references = referencesOf(target);
  if (references > MAX_SECRET_REFERENCES) {
    const message = `must name secrets at most ${MAX_SECRET_REFERENCES} times in all fields together, not ${references} times`;
    return [{ path: uses.at(-1)!.path, message }];
  }
  const missing = uses.filter(({ name }) => !known.has(name));
  if (missing.length > 0)
    return missing.map(({ path, name }) => ({
      path,
      message: `there is no secret ${JSON.stringify(name)} in the project`,
    }));
  const url = checkedUrl(target, known);
  if (url === undefined)
    return [{ path: 'url', message: 'must be a secret that names exactly one host, without "*"' }];
  // The host of a URL that is a secret is for those alone who may see secrets.
  const host = isSecretUrl(target) ? '' : `, ${parseUrl(url)?.host}`;
  const faults = [
    ...uses.flatMap((use) => faultOfKind(use, known)),
    ...uses.flatMap((use) => faultOfHost(use, url, known, `the target's host${host}`)),
  ];
  if (target.auth?.type !== 'oauth2') return faults;
  const { tokenUrl } = target.auth;
  const check = checkUrl(tokenUrl, rules.targetPolicy, rules.allowedTargetHosts);
  if (!check.ok) return [...faults, { path: 'auth.tokenUrl', message: check.message }];
  const ofAuth = uses.filter(({ path }) => path.startsWith('auth.'));
  return [
    ...faults,
    ...ofAuth.flatMap((use) => faultOfHost(use, tokenUrl, known, 'the host of auth.tokenUrl')),
  ];
}

/** Only calls by HTTP carry secrets. */
const faultsOfAwsTarget = (target: Target): Fault[] =>
  Object.entries(target).flatMap(([path, value]) =>
    typeof value === 'string' && mentionsSecrets(value)
      ? [{ path, message: 'must not name a secret: targets of this type take none' }]
      : [],
  );

function faultOfHost({ path, name }: SecretUse, url: string, known: KnownSecrets, what: string): Fault[] {
  const parsed = parseUrl(url);
  if (!parsed || mayGoTo(parsed, known.get(name)!.hosts)) return [];
  return [{ path, message: `names the secret ${JSON.stringify(name)}, which may not go to ${what}` }];
}

/** `tls` needs what its fields are called, and a target is sent no key. */
function faultOfKind({ path, name }: SecretUse, known: KnownSecrets): Fault[] {
  const { pem } = known.get(name)!;
  const names = `names the secret ${JSON.stringify(name)}`;
  const field = tlsFieldAt(path);
  if (!field) return pem ? [{ path, message: `${names}, which is of kind "pem": only tls may name it` }] : [];
  const hasIt = field === 'key' ? pem?.key === true : (pem?.certificates ?? 0) > 0;
  const needed = field === 'key' ? 'private key' : 'certificate';
  return hasIt ? [] : [{ path, message: `${names}, which has no ${needed} of kind "pem"` }];
}

/**
 * The URL of a target for all checks that need no value. It has a harmless text in place of each secret. If
 * the whole URL is a secret, it is the root of that secret's host. Undefined if the secret does not name one
 * host.
 */
export function checkedUrl(target: HttpTarget, known: KnownSecrets): string | undefined {
  if (!isSecretUrl(target)) return urlWithoutSecrets(target);
  const use = secretUsesOf(target).find(({ path }) => path === 'url');
  const host = onlyHostOf({ hosts: known.get(use!.name)?.hosts ?? [] });
  return host === undefined ? undefined : rootUrlOf(host);
}
