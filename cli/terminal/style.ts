import { styleText } from 'node:util';

import type { Io, Output } from '../io';

/** Colours text for a terminal; returns it unchanged if colours are off. */
export interface Style {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

/** Colours are for terminals. NO_COLOR (https://no-color.org) turns them off, and FORCE_COLOR on. */
export function hasColour({ env }: Pick<Io, 'env'>, output: Output): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR && env.FORCE_COLOR !== '0') return true;
  return output.isTTY === true && env.TERM !== 'dumb';
}

export function styleOf(colour: boolean): Style {
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  return {
    good: paint('green'),
    bad: paint('red'),
    warn: paint('yellow'),
    dim: paint('dim'),
    strong: paint('bold'),
  };
}

const GOOD = new Set(['succeeded', 'active']);
const BAD = new Set(['failed']);
const DIM = new Set(['completed', 'skipped', 'cancelled', 'scheduled']);

/** A status in its colour, the same in every command. */
export function statusText(status: string, style: Style): string {
  if (GOOD.has(status)) return style.good(status);
  if (BAD.has(status)) return style.bad(status);
  return DIM.has(status) ? style.dim(status) : style.warn(status);
}
