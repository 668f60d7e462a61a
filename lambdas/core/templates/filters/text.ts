import { MAX_RESULT_BYTES } from '../syntax';
import type { Json } from '../syntax';
import { TemplateError } from '../template-error';
import { filterOf, type Filter, type Parameter, TEXT, textIn, wrongKind } from './filter';

/** A value inside a text: a text as it is, anything else as JSON. */
export const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Throws `TemplateError` before a result is made that would be too large. */
export function checkLength(length: number): void {
  if (length > MAX_RESULT_BYTES) throw new TemplateError(`makes more than ${MAX_RESULT_BYTES} bytes`);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function numberIn(value: Json): number {
  if (typeof value === 'number') return value;
  const text = textIn(value).trim();
  const number = text.length <= 40 && NUMBER.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : wrongKind('a number', value);
}

const SEARCHED: Parameter<string> = {
  read: (value) => (value === '' ? wrongKind('a text that is not empty', value) : textIn(value)),
};

function replaced(text: string, searched: string, by: string): string {
  const pieces = text.split(searched);
  checkLength(text.length + (pieces.length - 1) * (by.length - searched.length));
  return pieces.join(by);
}

export const TEXT_FILTERS: Readonly<Record<string, Filter>> = {
  json: filterOf([], (value) => JSON.stringify(value)),
  text: filterOf([], textOf),
  number: filterOf([], numberIn),
  lower: filterOf([], (value) => textIn(value).toLowerCase()),
  upper: filterOf([], (value) => textIn(value).toUpperCase()),
  trim: filterOf([], (value) => textIn(value).trim()),
  replace: filterOf([SEARCHED, TEXT], (value, searched: string, by: string) =>
    replaced(textIn(value), searched, by),
  ),
};
