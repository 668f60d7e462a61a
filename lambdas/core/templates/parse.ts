import { parseExpression } from './parse-expression';
import type { Part, Template } from './syntax';
import { MAX_EXPRESSION_LENGTH } from './syntax';
import { shown, TemplateError, within } from './template-error';

const OPEN = '{{';
const CLOSE = '}}';
/** A literal `{{`. */
const ESCAPED = OPEN + OPEN;

/**
 * Parses a text with expressions in double braces. Its cost is that of reading the text twice. Throws
 * `TemplateError`.
 */
export function parseTemplate(text: string): Template {
  const parts: Part[] = [];
  let literal = '';
  let at = 0;
  for (let open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, at)) {
    literal += text.slice(at, open);
    if (text.startsWith(ESCAPED, open)) {
      literal += OPEN;
      at = open + ESCAPED.length;
      continue;
    }
    const start = open + OPEN.length;
    const end = endOfExpression(text, start);
    if (literal !== '') parts.push(literal);
    literal = '';
    const inside = text.slice(start, end);
    parts.push(within(inside.trim(), () => parseExpression(inside)));
    at = end + CLOSE.length;
  }
  literal += text.slice(at);
  if (literal !== '') parts.push(literal);
  return parts;
}

/** Index of the closing braces, outside quotes. Throws `TemplateError` if none come in time. */
function endOfExpression(text: string, start: number): number {
  const last = Math.min(text.length - CLOSE.length, start + MAX_EXPRESSION_LENGTH);
  let isQuoted = false;
  for (let at = start; at <= last; at++) {
    const character = text.charAt(at);
    if (character === "'") isQuoted = !isQuoted;
    else if (character === '}' && !isQuoted && text.charAt(at + 1) === '}') return at;
  }
  const begin = shown(OPEN + text.slice(start, start + 30));
  if (start + MAX_EXPRESSION_LENGTH <= text.length - CLOSE.length)
    throw new TemplateError(`${begin} has no "}}" within ${MAX_EXPRESSION_LENGTH} characters`);
  throw new TemplateError(
    isQuoted
      ? `${begin} has a text whose quote does not end`
      : `${begin} has no "}}"; a literal "{{" is written "{{{{"`,
  );
}

/** Whether a text has anything to parse; one without braces is a literal. */
export const hasBraces = (text: string): boolean => text.includes(OPEN);

/** The names of the secrets that a text refers to, each once. Throws `TemplateError`. */
export const secretNamesIn = (text: string): string[] => [
  ...new Set(parseTemplate(text).flatMap((part) => (isSecret(part) ? [part.name] : []))),
];

const isSecret = (part: Part) => typeof part !== 'string' && part.kind === 'secret';
