import type { Schema } from './keywords';

/** The parts of a local reference such as `#/$defs/order`. Undefined: it is none. */
export function partsOfRef(ref: string): string[] | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  try {
    const parts = decodeURIComponent(ref).split('/').slice(1);
    return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined; // a lone per cent sign
  }
}

/** What a reference leads to. It was checked with its schema. */
export const resolveRef = (root: Schema, ref: string): Schema =>
  partsOfRef(ref)!.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], root) as Schema;
