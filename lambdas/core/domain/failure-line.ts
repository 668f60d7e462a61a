import { createHash } from 'node:crypto';

const MAX_LINE = 300;
const HASH_LENGTH = 8;

/** Fields of a JSON body that say what went wrong, also inside others. */
const MESSAGES =
  /"(?:error|errors|errorType|error_type|errorMessage|error_message|error_description|code|type|title|message|msg|detail|reason)"\s*:\s*"((?:[^"\\]|\\.)*)/gi;
const MOST_MESSAGES = 3;
const TAG = /<[^<>]*>/g;
const HEAD_OF_PAGE = /<title[^<>]*>([^<]*)/i;

/**
 * The line of a response that says what went wrong. It is the first one with a letter: of the messages of
 * JSON, of the title of a page, or of the text. Undefined: none has one.
 */
export function firstLineOf(body: string): string | undefined {
  const text = body.trimStart();
  return /^[{[]/.test(text) ? (messagesOf(text) ?? lineOf(text)) : lineOf(textOfPage(text));
}

function messagesOf(json: string): string | undefined {
  const messages = [...json.matchAll(MESSAGES)]
    .slice(0, MOST_MESSAGES)
    .map(([, value = '']) => unescaped(value));
  return lineOf([...new Set(messages)].filter((one) => one !== '').join(': '));
}

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.)/g, (_, char) => (char === 'n' ? '\n' : char));

const textOfPage = (text: string): string =>
  text.startsWith('<') ? (HEAD_OF_PAGE.exec(text)?.[1] ?? text.replaceAll(TAG, ' ')) : text;

const lineOf = (text: string): string | undefined => {
  const line = text.split(/[\r\n]+/).find((one) => /\p{L}/u.test(one));
  return line
    ?.replaceAll(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, MAX_LINE);
};

/**
 * A short hash of a line, of which no text can be read. It leaves out what differs from one failure to the
 * next: quoted values, and words with digits, such as ids and times. Undefined: nothing is left.
 */
export function lineHashOf(line: string): string | undefined {
  const words = line
    .replaceAll(/"[^"]*"|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'/gu, ' ')
    .split(/[\s,;:=()[\]{}]+/)
    .filter((word) => /\p{L}/u.test(word) && !/\p{N}|^[a-f]{8,}$/iu.test(word));
  if (words.length === 0) return undefined;
  return createHash('sha256').update(words.join(' ').toLowerCase()).digest('hex').slice(0, HASH_LENGTH);
}
