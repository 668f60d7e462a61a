import { differences } from '../diff';
import { isRecord, type TextField, type TextKind } from './field';

/** A value as text, and what a text says. `read` throws an error whose message tells what is wrong. */
interface TextForm {
  show(value: unknown): string;
  read(text: string): unknown;
}

const asIs: TextForm = { show: String, read: (text) => text };
const items = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
const list = (show: (item: unknown) => string, read: (line: string) => unknown): TextForm => ({
  show: (value) => items(value).map(show).join('\n'),
  read: (text) => linesIn(text).map(read),
});

const CALENDAR = 'calendar: ';
const calendarOf = (item: unknown): string => (isRecord(item) ? String(item.calendar) : '');

function numberIn(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Error('This is no number.');
  return value;
}

function pairIn(line: string): [string, string] {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error('Each line is a name, a colon and a value.');
  return [line.slice(0, colon).trimEnd(), line.slice(colon + 1).trimStart()];
}

function objectIn(text: string): object {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) throw new Error('This is no object: it begins with {.');
  return value;
}

const json: TextForm = {
  show: (value) => JSON.stringify(value, null, 2),
  read: (text) => JSON.parse(text) as unknown,
};

const FORMS: Record<TextKind, TextForm> = {
  text: asIs,
  secret: asIs,
  choice: asIs,
  number: { show: String, read: (text) => numberIn(text) },
  flag: { show: (value) => (value === true ? 'yes' : ''), read: () => true },
  lines: list(String, (line) => line),
  words: {
    show: (value) => items(value).join(' '),
    read: (text) =>
      text.split(/[\s,]+/).flatMap((word) => (word === '' ? [] : /^\d+$/.test(word) ? Number(word) : word)),
  },
  pairs: {
    show: (value) =>
      Object.entries(isRecord(value) ? value : {})
        .map(([name, text]) => `${name}: ${String(text)}`)
        .join('\n'),
    read: (text) => Object.fromEntries(linesIn(text).map(pairIn)),
  },
  exclusions: list(
    (item) => (isRecord(item) ? CALENDAR + calendarOf(item) : String(item)),
    (line) => (line.startsWith(CALENDAR) ? { calendar: line.slice(CALENDAR.length).trim() } : line),
  ),
  calendars: list(calendarOf, (line) => ({ calendar: line })),
  json,
  object: { ...json, read: objectIn },
};

/** What is as good as nothing. Empty `words` are not: no status is tried again then. */
const EMPTY: Partial<Record<TextKind, string>> = {
  lines: '[]',
  exclusions: '[]',
  calendars: '[]',
  pairs: '{}',
};

/** How a field shows a value: as its kind, or as JSON if its text could not give the value back. */
export function drawnAs(field: TextField, value: unknown): TextKind {
  const { kind } = field;
  if (value === undefined || value === null || kind === 'json' || kind === 'object') return kind;
  if (kind === 'flag') return typeof value === 'boolean' ? kind : 'json';
  if (EMPTY[kind] === JSON.stringify(value)) return kind;
  try {
    return differences(saidBy(field, kind, FORMS[kind].show(value)), value).length === 0 ? kind : 'json';
  } catch {
    return 'json';
  }
}

const saidBy = ({ isRequired }: TextField, kind: TextKind, text: string): unknown =>
  text.trim() === '' && !isRequired ? undefined : FORMS[kind].read(text);

/** The text of a value; empty if there is none. */
export const textOf = (kind: TextKind, value: unknown): string =>
  value === undefined || (value === null && kind !== 'json') ? '' : FORMS[kind].show(value);

/**
 * The value that a text says. A text that shows the present value says that one. An empty text says none,
 * unless the field is required. Throws an error in words.
 */
export function valueIn(field: TextField, kind: TextKind, text: string, present: unknown): unknown {
  return text === textOf(kind, present) ? present : saidBy(field, kind, text);
}
