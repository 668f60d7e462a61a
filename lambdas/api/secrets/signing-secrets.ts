import { SigningSecretQuery, RotateBody } from '../../core/http/signing';
import { expiresAtSecAfter } from '../../core/domain/timing';
import {
  ended,
  MAX_ROTATIONS,
  NEVER_ROTATED,
  rotated,
  type SecretVersions,
  signingAlong,
} from '../../core/domain/secret-versions';
import { instantText } from '../../core/clock/clock';
import type { SigningSecretView } from '../../core/http/openapi/secret';
import { signingSecret } from '../../core/delivery/signing/standard-webhooks';
import { readQuery, readOptionalBody } from '../http/parse-request';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { audited } from '../audit/audited';
import { stampOf, REPLAYED } from '../http/idempotency-key';
import { conflict, keyReused, tooMany, invalidField } from '../http/problem';

/** 200 with the secret that signs the project's deliveries to a host; without `host`, its legacy secret. */
export async function getSigningSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { project } = request;
  const { host } = readQuery(request, SigningSecretQuery);
  const versions = await deps.users.secretVersions(project, host);
  if (host === undefined) requireLegacy(versions, deps);
  return { status: 200, body: await secretView({ project, host }, versions, deps) };
}

const MAX_TRIES = 5;
/** Hosts of a project whose secrets were rotated: each has a row for ever. */
const MAX_HOSTS = 100;

/**
 * 200 with the new secret of a host; without `host`, of the project's legacy secret. The previous secret
 * signs along for a day. Deliveries carry both signatures within five minutes. `{ "legacy": false }` ends the
 * legacy secret instead: 200 with `{ "legacy": false }`.
 */
export async function rotateSigningSecret(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const body = readOptionalBody(request, RotateBody);
  const { host, legacy } = body;
  const keyHash = await reservedKey(request, body, deps);
  const of: SecretOf = { project: request.project, host };
  const replay = await replayOf(of, legacy, keyHash, deps);
  if (replay) return replay;
  const change = {
    what: legacy === false ? 'signing-secret.legacy-ended' : 'signing-secret.rotated',
    resource: host === undefined ? 'signing-secret' : `signing-secret ${host}`,
  } as const;
  const make = () => (legacy === false ? endLegacy(of.project, keyHash, deps) : rotate(of, keyHash, deps));
  return audited(request, change, make, deps);
}

/** The response to a request that was made before; undefined if it is the first. */
async function replayOf(
  of: SecretOf,
  legacy: false | undefined,
  keyHash: string | undefined,
  deps: ApiDeps,
): Promise<ApiResponse | undefined> {
  if (keyHash === undefined) return undefined;
  const seen = await deps.users.secretVersions(of.project, of.host);
  if (seen.keyHash !== keyHash) return undefined;
  const body = legacy === false ? { legacy } : await secretView(of, seen, deps);
  return { status: 200, headers: REPLAYED, body };
}

async function rotate(of: SecretOf, keyHash: string | undefined, deps: ApiDeps): Promise<ApiResponse> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await deps.users.secretVersions(of.project, of.host);
    if (of.host === undefined) requireLegacy(seen, deps);
    if (keyHash && seen.keyHash === keyHash)
      return { status: 200, headers: REPLAYED, body: await secretView(of, seen, deps) };
    const next = await nextOf(of, seen, keyHash, deps);
    if ((await deps.users.putSecretVersions(of.project, next, seen, of.host)) === 'put')
      return { status: 200, body: await secretView(of, next, deps) };
  }
  throw overtaken();
}

/**
 * Hash of the request's `Idempotency-Key`. Throws `ProblemError` 422 if the key belongs to another body, such
 * as the rotation of another host.
 */
async function reservedKey(
  request: ApiRequest,
  body: unknown,
  { requestKeys, clock, retentionDays }: ApiDeps,
): Promise<string | undefined> {
  const stamp = stampOf(request, body);
  if (!stamp) return undefined;
  const known = await requestKeys.putUnlessKnown({
    userId: request.project,
    ...stamp,
    resultId: request.route.operation,
    expiresAtSec: expiresAtSecAfter(clock.nowMs(), retentionDays),
  });
  if (known.bodyHash !== stamp.bodyHash) throw keyReused();
  return stamp.keyHash;
}

/** Throws `ProblemError` 429 after too many rotations, and 409 after those of too many hosts. */
async function nextOf(
  { project, host }: SecretOf,
  seen: SecretVersions,
  keyHash: string | undefined,
  { users, clock }: ApiDeps,
): Promise<SecretVersions> {
  const isNewHost = host !== undefined && seen.version === NEVER_ROTATED.version;
  if (isNewHost && (await users.countRotatedHosts(project)) >= MAX_HOSTS)
    throw conflict(`the secrets of ${MAX_HOSTS} hosts were rotated, which is the most for a project`);
  const nowMs = clock.nowMs();
  const next = rotated(seen, nowMs, keyHash);
  if (!('tooManyUntilMs' in next)) return next;
  const whose = host === undefined ? 'the legacy signing secret' : `the signing secret of ${host}`;
  throw tooMany(`${whose} can be rotated ${MAX_ROTATIONS} times a day`, next.tooManyUntilMs - nowMs);
}

/** Ends the project's legacy secret. Once more changes nothing. */
async function endLegacy(
  project: string,
  keyHash: string | undefined,
  { users }: ApiDeps,
): Promise<ApiResponse> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = await users.secretVersions(project);
    const isReplay = keyHash !== undefined && seen.keyHash === keyHash;
    if (!seen.ended && (await users.putSecretVersions(project, ended(seen, keyHash), seen)) === 'changed')
      continue;
    return { status: 200, body: { legacy: false }, ...(isReplay && { headers: REPLAYED }) };
  }
  throw overtaken();
}

const overtaken = () =>
  conflict('other requests keep rotating the secret; read it again and repeat the request');

/** Whose secret it is. Without `host`: the project's legacy secret. */
interface SecretOf {
  project: string;
  host: string | undefined;
}

/** The current secret, and the earlier versions that still sign along with it. */
async function secretView(
  { project, host }: SecretOf,
  versions: SecretVersions,
  { secret, clock }: ApiDeps,
): Promise<SigningSecretView> {
  const { version } = versions;
  const along = signingAlong(versions, clock.nowMs());
  return {
    host: host ?? null,
    secret: signingSecret(await secret.get(), project, version, host),
    version,
    signingAlong: along.map((earlier) => ({ version: earlier.version, until: instantText(earlier.untilMs) })),
  };
}

/** Throws `ProblemError` 400 that names `host` if the project's legacy secret signs nothing. */
function requireLegacy({ ended }: SecretVersions, { settings }: ApiDeps): void {
  if (settings.legacySigning !== false && !ended) return;
  const owner = ended ? 'this project' : 'this deployment';
  throw invalidField('host', `is required: the legacy secret of ${owner} signs no deliveries`);
}
