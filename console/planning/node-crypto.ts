import { sha256 } from './sha-256';

/** What the schedules take from `node:crypto`, for browsers: the hash from which a job's jitter comes. */
export function createHash(name: string) {
  if (name !== 'sha256') throw new RangeError(`${name} is not sha256`);
  let bytes = new Uint8Array();
  const hash = {
    update(text: string) {
      bytes = new TextEncoder().encode(text);
      return hash;
    },
    digest: () => ({
      readUIntBE: (offset: number, length: number) => bigEndian(sha256(bytes), offset, length),
    }),
  };
  return hash;
}

const bigEndian = (digest: Uint8Array, offset: number, length: number): number =>
  digest.slice(offset, offset + length).reduce((value, byte) => value * 256 + byte, 0);
