import { isObject } from '../is-object';

/** A part of a definition has no counterpart. The message says why. */
export class Unmapped extends Error {
  override readonly name = 'Unmapped';
}

export type Json = Record<string, unknown>;

const shown = (value: unknown): string => JSON.stringify(value).slice(0, 60);

/* Fields with their types. A field of another type throws `Unmapped`: it is never taken as absent. */

export function textIn(json: Json, field: string): string | undefined {
  const value = json[field];
  if (value === undefined || typeof value === 'string') return value;
  throw new Unmapped(`${field} is ${shown(value)}, and no text`);
}

export function neededText(json: Json, field: string): string {
  const value = textIn(json, field);
  if (value !== undefined) return value;
  throw new Unmapped(`it has no ${field}`);
}

/** A path, or null, which selects nothing. */
export const pathIn = (json: Json, field: string): string | null | undefined =>
  json[field] === null ? null : textIn(json, field);

export function numberIn(
  json: Json,
  field: string,
  { least, whole = true }: { least: number; whole?: boolean },
): number | undefined {
  const value = json[field];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && value >= least && (!whole || Number.isSafeInteger(value))) return value;
  throw new Unmapped(`${field} is ${shown(value)}, and no ${whole ? 'whole ' : ''}number from ${least}`);
}

export function objectIn(json: Json, field: string): Json | undefined {
  const value = json[field];
  if (value === undefined || isObject(value)) return value;
  throw new Unmapped(`${field} is ${shown(value)}, and no object`);
}

/** A list of objects; empty if it is absent. */
export function objectsIn(json: Json, field: string): Json[] {
  const value = json[field] ?? [];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Unmapped(`${field} is ${shown(value)}, and no list of objects`);
}

export function textsIn(json: Json, field: string): string[] {
  const value = json[field];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Unmapped(`${field} is ${shown(value)}, and no list of texts`);
}
