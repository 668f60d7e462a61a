import { countReferences, putSecretsInto, secretNameIn, referencedSecrets } from './secret-reference';
import { everyTargetOf, type JobDefinition } from './job';
import type { ClientTls, HttpTarget, Target, TargetAuth } from './target';

/** Where a target uses a secret: the path of the field below the target, and the secret's name. */
export interface SecretUse {
  path: string;
  name: string;
}

const TLS_FIELDS = ['certificate', 'key', 'ca'] as const satisfies readonly (keyof ClientTls)[];
type TlsField = (typeof TLS_FIELDS)[number];
const OF_TLS = 'tls.';

/** The field of `tls` at a path below a target; undefined for any other path. */
export const tlsFieldAt = (path: string): TlsField | undefined =>
  TLS_FIELDS.find((field) => path === OF_TLS + field);

/** The fields of each type of `auth` that are references to secrets. */
const AUTH_FIELDS = {
  bearer: ['token'],
  basic: ['username', 'password'],
  header: ['value'],
  oauth2: ['clientId', 'clientSecret'],
  aws: [],
} as const satisfies { [Type in TargetAuth['type']]: readonly string[] };

/** All references of a target, in the order of its fields. AWS targets have none. */
export function secretUsesOf(target: Target): SecretUse[] {
  if (target.type === 'pagerduty')
    return [{ path: 'routingKey', name: secretNameIn(target.routingKey) ?? '' }];
  if (target.type === 'incident-io') return [{ path: 'token', name: secretNameIn(target.token) ?? '' }];
  if (target.type !== 'http') return [];
  const uses = referencedSecrets(target.url).map((name) => ({ path: 'url', name }));
  for (const [header, value] of Object.entries(target.headers))
    uses.push(...referencedSecrets(value).map((name) => ({ path: `headers.${header}`, name })));
  for (const [field, text] of Object.entries(target.auth ? authReferencesOf(target.auth) : {}))
    uses.push({ path: `auth.${field}`, name: secretNameIn(text) ?? '' });
  for (const [field, text] of tlsReferencesOf(target))
    uses.push({ path: OF_TLS + field, name: secretNameIn(text) ?? '' });
  return uses;
}

/** The references of `tls`, by the names of their fields. */
const tlsReferencesOf = ({ tls = {} }: Pick<HttpTarget, 'tls'>): [TlsField, string][] =>
  TLS_FIELDS.flatMap((field): [TlsField, string][] => {
    const text = tls[field];
    return text === undefined ? [] : [[field, text]];
  });

/** How many references a target has, of which a secret may have several. */
export const referencesOf = ({ url, headers, auth, tls }: HttpTarget): number =>
  [
    url,
    ...Object.values(headers),
    ...Object.values(auth ? authReferencesOf(auth) : {}),
    ...tlsReferencesOf({ tls }).map(([, text]) => text),
  ].reduce((sum, text) => sum + countReferences(text), 0);

/** The names of the secrets that targets use, each once. */
export const secretNamesOf = (targets: readonly Target[]): string[] => [
  ...new Set(targets.flatMap(secretUsesOf).map(({ name }) => name)),
];

/** The names of the secrets that a target is sent. A handshake by TLS sends no key. */
export const sentSecretNamesOf = (target: Target): string[] => [
  ...new Set(
    secretUsesOf(target)
      .filter(({ path }) => tlsFieldAt(path) === undefined)
      .map(({ name }) => name),
  ),
];

/** The names of the secrets that a job uses, in its targets or in those of its workflow's tasks. */
export const secretNamesOfJob = (
  job: Pick<JobDefinition, 'target' | 'targets' | 'workflow' | 'onEnd'>,
): readonly string[] => [
  ...new Set([...(job.workflow?.secrets ?? []), ...secretNamesOf(everyTargetOf(job))]),
];

/** The references of an `auth` by the names of their fields. */
export const authReferencesOf = (auth: TargetAuth): Record<string, string> =>
  Object.fromEntries(
    AUTH_FIELDS[auth.type].map((field) => [field, (auth as unknown as Record<string, string>)[field]!]),
  );

/** Whether the whole URL is a secret. */
export const isSecretUrl = ({ url }: Pick<HttpTarget, 'url'>): boolean => secretNameIn(url) !== undefined;

/** The URL with a harmless text in place of each secret, for all checks that need no secret. */
export const urlWithoutSecrets = ({ url }: Pick<HttpTarget, 'url'>): string =>
  putSecretsInto(url, () => 'secret');
