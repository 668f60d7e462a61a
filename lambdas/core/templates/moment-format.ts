import { civilDateOf, dayNumberOf, SECONDS_PER_DAY, weekdayOf } from '../schedule/civil';
import { mondayOf } from './moment';
import { shown, TemplateError } from './template-error';

interface LocalTime {
  /** Since 1970-01-01. */
  day: number;
  secOfDay: number;
  fractionMs: number;
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const digits = (value: number, length: number): string => String(value).padStart(length, '0');

const FIELDS: ReadonlyMap<string, (time: LocalTime) => string> = new Map([
  ['yyyy', ({ day }) => digits(civilDateOf(day).year, 4)],
  ['MM', ({ day }) => digits(civilDateOf(day).month, 2)],
  ['dd', ({ day }) => digits(civilDateOf(day).day, 2)],
  ['HH', ({ secOfDay }) => digits(Math.floor(secOfDay / 3600), 2)],
  ['mm', ({ secOfDay }) => digits(Math.floor(secOfDay / 60) % 60, 2)],
  ['ss', ({ secOfDay }) => digits(secOfDay % 60, 2)],
  ['SSS', ({ fractionMs }) => digits(fractionMs, 3)],
  ['ww', ({ day }) => digits(isoWeekOf(day), 2)],
  ['EEE', ({ day }) => WEEKDAYS[weekdayOf(day)]!],
]);

/** ISO 8601: the week that has the year's first Thursday is the first. */
function isoWeekOf(day: number): number {
  const thursday = mondayOf(day) + 3;
  return Math.floor((thursday - dayNumberOf(civilDateOf(thursday).year, 1, 1)) / 7) + 1;
}

/** Writes a local time. */
export type MomentFormat = (wall: { wallSec: number; fractionMs: number }) => string;

const PIECE = /'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+|'/g;

/**
 * `yyyy MM dd HH mm ss SSS ww EEE`; other letters stand between single quotes. Throws `TemplateError`.
 */
export function parseFormat(text: string): MomentFormat {
  const pieces = (text.match(PIECE) ?? []).map((piece) => pieceOf(piece, text));
  return ({ wallSec, fractionMs }) => {
    const day = Math.floor(wallSec / SECONDS_PER_DAY);
    const time = { day, secOfDay: wallSec - day * SECONDS_PER_DAY, fractionMs };
    return pieces.map((piece) => (typeof piece === 'string' ? piece : piece(time))).join('');
  };
}

function pieceOf(piece: string, format: string): string | ((time: LocalTime) => string) {
  if (piece === "''") return "'";
  if (piece.startsWith("'")) {
    if (piece.length > 1) return piece.slice(1, -1).replaceAll("''", "'");
    throw new TemplateError(`the format ${shown(format)} has a quote that does not end`);
  }
  if (!/[A-Za-z]/.test(piece)) return piece;
  const field = FIELDS.get(piece);
  if (field) return field;
  const allowed = [...FIELDS.keys()].join(' ');
  throw new TemplateError(
    `the format ${shown(format)} has ${shown(piece)}; allowed are ${allowed}, and text in quotes`,
  );
}
