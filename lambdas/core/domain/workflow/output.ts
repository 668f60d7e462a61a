import { MAX_OUTPUT_BYTES } from './definition';

/** What a target returned, as the text of a JSON value; `too-large`: it has more than `MAX_OUTPUT_BYTES`. */
export type Output = { json: string } | 'too-large';

/** A deeper JSON text stays a text: what renders it visits its values by recursion. */
const MAX_DEPTH = 100;

/** A text is the JSON value that it parses to; any other is a JSON text. */
export const outputOfText = (text: string): Output =>
  bounded(isJson(text) ? text.trim() : JSON.stringify(text));

export const outputOf = (value: unknown): Output => bounded(JSON.stringify(value) ?? 'null');

const bounded = (json: string): Output =>
  Buffer.byteLength(json) > MAX_OUTPUT_BYTES ? 'too-large' : { json };

function isJson(text: string): boolean {
  if (depthOf(text) > MAX_DEPTH) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How deep brackets nest, whatever stands between them. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
