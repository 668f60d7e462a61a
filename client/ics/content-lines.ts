import { IcsError } from './ics-error';

/** A property: its line, unfolded and taken apart. Names are in capitals, for they have no case. */
export interface Property {
  /** Number of its first line in the file. */
  line: number;
  name: string;
  params: ReadonlyMap<string, string>;
  value: string;
}

const NAME = /^[A-Za-z0-9-]+$/;

/** The properties of a file, `BEGIN` and `END` among them. Throws an `IcsError` for a line that is none. */
export function contentLines(text: string): Property[] {
  return unfolded(text).map(({ line, text: content }) => property(content, line));
}

/** Lines that begin with a space or a tab go on with the line before. Empty lines say nothing. */
function unfolded(text: string): { line: number; text: string }[] {
  const lines: { line: number; parts: string[] }[] = [];
  for (const [index, physical] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const last = lines.at(-1);
    if (/^[ \t]/.test(physical) && last) last.parts.push(physical.slice(1));
    else if (physical.trim() !== '') lines.push({ line: index + 1, parts: [physical] });
  }
  return lines.map(({ line, parts }) => ({ line, text: parts.join('') }));
}

/** `NAME;PARAM=value;PARAM="quoted: value":value` */
function property(text: string, line: number): Property {
  const nameEnd = text.search(/[;:]/);
  const name = text.slice(0, Math.max(nameEnd, 0)).trim();
  if (!NAME.test(name)) throw new IcsError(`${JSON.stringify(text.slice(0, 40))} is no property`, line);
  const params = new Map<string, string>();
  let at = nameEnd;
  while (text[at] === ';') {
    const end = paramEnd(text, at + 1, line);
    const param = text.slice(at + 1, end);
    const equals = param.indexOf('=');
    if (equals < 1) throw new IcsError(`${JSON.stringify(param.slice(0, 40))} is no parameter`, line);
    const key = param.slice(0, equals).trim().toUpperCase();
    params.set(key, unquoted(param.slice(equals + 1)));
    at = end;
  }
  return { line, name: name.toUpperCase(), params, value: text.slice(at + 1).trim() };
}

/** Where a parameter ends: at the next `;` or `:` outside quotes. */
function paramEnd(text: string, from: number, line: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (text[at] === ';' || text[at] === ':')) return at;
  }
  throw new IcsError(isQuoted ? 'a quote has no end' : 'there is no colon before a value', line);
}

const unquoted = (text: string): string => text.trim().replace(/^"(.*)"$/, '$1');

/** A value of type TEXT, on one line. */
export const textIn = (value: string): string =>
  value
    .replace(/\\([\\;,nN])/g, (_, escaped: string) => (/n/i.test(escaped) ? ' ' : escaped))
    .replace(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim();
