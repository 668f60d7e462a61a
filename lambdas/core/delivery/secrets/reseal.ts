import type { Random } from '../../clock/random';
import type { Secret } from '../../domain/secret';
import type { SecretStore } from '../../store/secret-store';
import { isSealedWith, seal, type Sealed, type SealingKeys, unseal } from './seal';
import { sealedTokenName } from './secret-values';

const MAX_TRIES = 5;

interface ResealDeps {
  secrets: Pick<SecretStore, 'get' | 'list' | 'reseal' | 'listTokens' | 'putToken'>;
  keys: SealingKeys;
  random: Random;
}

/**
 * Seals all secrets and access tokens of a project with the newest version of the deployment's secret. Calls
 * and changes may go on meanwhile: no value is lost or brought back. Throws `UnsealError` if a value cannot
 * be opened.
 *
 * @returns how many rows were sealed anew
 */
export async function resealProject(project: string, deps: ResealDeps): Promise<number> {
  const { version } = await deps.keys.current();
  let moved = 0;
  for (const secret of await deps.secrets.list(project))
    if (await resealSecret(secret, version, deps)) moved += 1;
  for (const token of await deps.secrets.listTokens(project)) {
    if (isSealedWith(token.sealed, version)) continue;
    const sealed = await resealed({ project, name: sealedTokenName(token) }, token.sealed, deps);
    await deps.secrets.putToken({ ...token, sealed });
    moved += 1;
  }
  return moved;
}

/** Repeats with what another request has written meanwhile. */
async function resealSecret(first: Secret, version: string, deps: ResealDeps): Promise<boolean> {
  let secret: Secret | undefined = first;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!secret || allOf(secret).every((sealed) => isSealedWith(sealed, version))) return false;
    const next: Secret = await withResealedValues(secret, deps);
    if ((await deps.secrets.reseal(next)) === 'put') return true;
    secret = await deps.secrets.get(first.project, first.name);
  }
  throw new Error(`secret ${first.name} keeps being changed`);
}

const allOf = ({ sealed, earlier = [] }: Secret): string[] => [sealed, ...earlier.map((one) => one.sealed)];

async function withResealedValues(secret: Secret, deps: ResealDeps): Promise<Secret> {
  const sealed = await resealed(secret, secret.sealed, deps);
  if (!secret.earlier) return { ...secret, sealed };
  const earlier = secret.earlier.map(async (one) => ({
    ...one,
    sealed: await resealed(secret, one.sealed, deps),
  }));
  return { ...secret, sealed, earlier: await Promise.all(earlier) };
}

const resealed = async (
  { project, name }: Sealed,
  sealed: string,
  { keys, random }: ResealDeps,
): Promise<string> => seal(keys, { project, name }, await unseal(keys, { project, name }, sealed), random);
