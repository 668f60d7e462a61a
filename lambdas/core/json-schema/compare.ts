import { isJsonObject } from './keywords';

/** Takes so many steps from a budget. Throws once there are none left. */
export type Spend = (steps: number) => void;

/** So many characters of a text cost as much as one value. */
const CHARACTERS_A_STEP = 64;
/** A step for each value, and for long texts some more. */
export const stepsOf = (text: string): number => 1 + Math.floor(text.length / CHARACTERS_A_STEP);

/** Whether two values of JSON are equal. */
export function isEqual(a: unknown, b: unknown, spend: Spend): boolean {
  spend(1);
  if (a === b) return true;
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => isEqual(item, b[index], spend));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const [names, others] = [Object.keys(a), Object.keys(b)];
  spend(names.length + others.length);
  if (others.length !== names.length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name], spend));
}

/** A text that two values share only if they are equal. */
function canonicalText(value: unknown, spend: Spend): string {
  if (Array.isArray(value)) {
    spend(1);
    let text = '[';
    for (const item of value) text += `${canonicalText(item, spend)},`;
    return `${text}]`;
  }
  if (!isJsonObject(value)) {
    spend(typeof value === 'string' ? stepsOf(value) : 1);
    return JSON.stringify(value);
  }
  const names = Object.keys(value);
  spend(1 + names.length * Math.ceil(Math.log2(names.length + 1))); // they are sorted
  if (names.length > 1) names.sort();
  let text = '{';
  for (const name of names) text += `${JSON.stringify(name)}:${canonicalText(value[name], spend)},`;
  return `${text}}`;
}

/** A text is written and kept. */
const STEPS_OF_TEXT = 3;

/**
 * By one text for each list and object: to compare all of them with each other would take their number
 * squared.
 */
export function areUnique(items: readonly unknown[], spend: Spend): boolean {
  const [plain, texts] = [new Set<unknown>(), new Set<string>()];
  for (const item of items) {
    spend(STEPS_OF_TEXT);
    if (typeof item === 'object' && item !== null) texts.add(canonicalText(item, spend));
    else {
      spend(typeof item === 'string' ? stepsOf(item) : 1);
      plain.add(item);
    }
  }
  return plain.size + texts.size === items.length;
}

/** Characters as people count them: one outside the basic plane has two units. */
export function lengthOf(text: string, spend: Spend): number {
  spend(stepsOf(text));
  let length = text.length;
  for (let at = 0; at < text.length - 1; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xd800) length--;
  return length;
}

const STEPS_OF_EXACT = 20;
/** So many digits are a step more. */
const DIGITS_A_STEP = 2;

/** By decimal digits: of 0.0075 and 0.0001 as doubles, the quotient is not whole. */
export function isMultiple(value: number, of: number, spend: Spend): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0;
  const [a, b] = [decimalOf(value), decimalOf(of)];
  const exponent = Math.min(a.exponent, b.exponent);
  spend(STEPS_OF_EXACT + Math.floor((Math.max(a.exponent, b.exponent) - exponent) / DIGITS_A_STEP));
  const scaled = ({ digits, exponent: own }: typeof a) => digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

/** A number as `digits × 10^exponent`. */
function decimalOf(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '', power = '0'] = value.toExponential().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
