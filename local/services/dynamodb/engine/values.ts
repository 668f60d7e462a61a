import type { Item } from './paths';

/** Copies a value as the document client would write it: undefined is left out, what it refuses throws. */
export function copyIn(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`Special numeric value ${value} is not allowed`);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`Number ${value} is not safe`);
    return value === 0 ? 0 : value; // there is no -0 in DynamoDB
  }
  if (Array.isArray(value)) return value.filter((element) => element !== undefined).map(copyIn);
  if (typeof value === 'object' && isPlain(value)) return copyItemIn(value as Item);
  throw new Error(`Unsupported type passed: ${typeof value}`);
}

export function copyItemIn(item: Readonly<Item>): Item {
  const copy: Item = {};
  for (const name in item) {
    const value = item[name];
    if (value !== undefined) setOwn(copy, name, copyIn(value));
  }
  return copy;
}

/** The document client reads `value.constructor`, even if that is the user's own key. */
function isPlain(value: object): boolean {
  const { constructor } = value as { constructor?: unknown };
  return constructor === undefined || (constructor as { name?: unknown }).name === 'Object';
}

/** Copies a stored value, so that its reader cannot change it. */
export function copyOut<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copyOut) as T;
  const copy: Item = {};
  for (const name in value) setOwn(copy, name, copyOut(value[name]));
  return copy as T;
}

/** Sets an attribute. An assignment to `__proto__` would change the prototype. */
export function setOwn(item: Record<string | number, unknown>, name: string | number, value: unknown): void {
  if (name !== '__proto__') item[name] = value;
  else Object.defineProperty(item, name, { value, enumerable: true, writable: true, configurable: true });
}

/** Bytes of an item by DynamoDB's published rules. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += textBytes(name) + valueBytes(item[name]);
  return bytes;
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value === 'number') return numberBytes(value);
  if (value === null || typeof value === 'boolean') return 1;
  if (Array.isArray(value)) {
    return (value as unknown[]).reduce<number>((sum, element) => sum + 1 + valueBytes(element), 3);
  }
  return 3 + Object.keys(value as Item).length + itemBytes(value as Item);
}

const ASCII_ONLY_BELOW = 0x80;

function textBytes(text: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) >= ASCII_ONLY_BELOW) return Buffer.byteLength(text);
  }
  return text.length;
}

/** About one byte for two significant digits, and one more; one for a minus. */
function numberBytes(value: number): number {
  if (value === 0) return 1;
  return 1 + Math.ceil(significantDigits(Math.abs(value)) / 2) + (value < 0 ? 1 : 0);
}

function significantDigits(value: number): number {
  if (!Number.isInteger(value)) return value.toExponential().replace(/e.*/, '').replace('.', '').length;
  let whole = value;
  while (whole % 10 === 0) whole /= 10;
  let digits = 1;
  for (let limit = 10; whole >= limit; limit *= 10) digits += 1; // multiplies, since divisions take longer
  return digits;
}
