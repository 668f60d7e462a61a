import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto';

import type { Random } from '../../clock/random';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Version of the format. It is the first part of every sealed text. */
const FORMAT = 's1';

/** The versions of the deployment's secret, by the names that the secret's store gives them. */
export interface SealingKeys {
  /** The newest version: what is sealed now is sealed with it. */
  current(): Promise<SealingKey>;
  /** An earlier version; undefined if its store no longer has it. */
  version(version: string): Promise<Buffer | undefined>;
}

export interface SealingKey {
  /** Has no dots. */
  version: string;
  /** At least 32 bytes. */
  secret: Buffer;
}

/** What a sealed text belongs to. It opens as nothing else. */
export interface Sealed {
  project: string;
  /** Name of the secret; for a token, what it was fetched with. */
  name: string;
}

/** A sealed text was changed, belongs to something else, or its key is gone. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError';
}

/**
 * Seals a value with AES-256-GCM: `s1.<key version>.<nonce>.<ciphertext and tag>`, the last two in base64url.
 * The key is derived from the deployment's secret for each project (HKDF-SHA-256). Format, project, name and
 * key version are associated data. The nonce is random: 2^32 values of one project may share a key.
 */
export async function seal(
  keys: SealingKeys,
  of: Sealed,
  value: string,
  random: Pick<Random, 'id'>,
): Promise<string> {
  const { version, secret } = await keys.current();
  const nonce = createHash('sha256').update(random.id()).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret, of), nonce);
  cipher.setAAD(associatedData(of, version));
  const sealed = Buffer.concat([cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [FORMAT, version, nonce.toString('base64url'), sealed.toString('base64url')].join('.');
}

/** The value that was sealed. Throws `UnsealError`, which says nothing of the value. */
export async function unseal(keys: SealingKeys, of: Sealed, text: string): Promise<string> {
  const [format, version = '', nonce = '', sealed = '', ...more] = text.split('.');
  if (format !== FORMAT || more.length > 0) throw new UnsealError(`${nameOf(of)} has an unknown format`);
  const secret = await secretOf(keys, version);
  if (!secret) throw new UnsealError(`${nameOf(of)} was sealed with key version ${version}, which is gone`);
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < TAG_BYTES) throw new UnsealError(`${nameOf(of)} is too short`);
  const decipher = createDecipheriv(CIPHER, keyOf(secret, of), Buffer.from(nonce, 'base64url'), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associatedData(of, version));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const start = decipher.update(bytes.subarray(0, -TAG_BYTES));
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch (cause) {
    throw new UnsealError(`${nameOf(of)} is not what was sealed`, { cause });
  }
}

/** The version of the deployment's secret that a text is sealed with. */
export const keyVersionOf = (text: string): string => text.split('.', 2)[1] ?? '';

/** Whether a text is sealed with this version of the deployment's secret. */
export const isSealedWith = (text: string, version: string): boolean =>
  text.startsWith(`${FORMAT}.${version}.`);

async function secretOf(keys: SealingKeys, version: string): Promise<Buffer | undefined> {
  const current = await keys.current();
  return current.version === version ? current.secret : keys.version(version);
}

const keyOf = (secret: Buffer, { project }: Sealed): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `quarterjack/secrets/${project}`, KEY_BYTES));

const associatedData = ({ project, name }: Sealed, version: string): Buffer =>
  Buffer.from(JSON.stringify([FORMAT, project, name, version]), 'utf8');

const nameOf = ({ name }: Sealed): string => `the sealed value ${JSON.stringify(name)}`;
