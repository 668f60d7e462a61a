import { isDeepStrictEqual } from 'node:util';

import type { Json } from '../syntax';
import { shown, TemplateError } from '../template-error';
import {
  ANY,
  type Filter,
  filterOf,
  INDEX,
  isList,
  isObject,
  listIn,
  type Parameter,
  TEXT,
  wholeNumberIn,
  wrongKind,
} from './filter';
import { checkLength, textOf } from './text';

const SIZE: Parameter<number> = {
  read(value) {
    const size = wholeNumberIn(value);
    return size >= 1 ? size : wrongKind('a whole number from 1', value);
  },
};

const END: Parameter<number> = { ...INDEX, absent: () => Number.POSITIVE_INFINITY };

function lengthOf(value: Json): number {
  if (typeof value === 'string') return Array.from(value).length;
  if (isList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : wrongKind('a text, a list or an object', value);
}

/** Whole characters of a text, or items of a list. */
function sliced(value: Json, from: number, to: number): Json {
  if (typeof value === 'string') return Array.from(value).slice(from, to).join('');
  return isList(value) ? value.slice(from, to) : wrongKind('a text or a list', value);
}

function joined(value: Json, separator: string): string {
  const texts = listIn(value).map(textOf);
  checkLength(texts.reduce((length, text) => length + text.length + separator.length, 0) - separator.length);
  return texts.join(separator);
}

const plucked = (value: Json, name: string): Json[] =>
  listIn(value).map((item, index) => {
    if (isObject(item) && Object.hasOwn(item, name)) return item[name]!;
    throw new TemplateError(`item ${index} has no ${shown(name)}`);
  });

const hasValue = (item: Json, name: string, wanted: Json): boolean =>
  isObject(item) &&
  Object.hasOwn(item, name) &&
  (item[name] === wanted || isDeepStrictEqual(item[name], wanted));

const chunksOf = (list: readonly Json[], size: number): Json[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );

function numbersBelow(value: Json): number[] {
  const count = wholeNumberIn(value);
  if (count < 0) return wrongKind('a whole number from 0', value);
  checkLength(2 * count); // a digit and a comma, at least
  return Array.from({ length: count }, (_, index) => index);
}

export const LIST_FILTERS: Readonly<Record<string, Filter>> = {
  default: {
    parameters: [ANY],
    takesMissing: true,
    apply: (value, [other]) => value ?? (other as Json),
  },
  length: filterOf([], lengthOf),
  first: filterOf([], (value) => listIn(value).at(0)),
  last: filterOf([], (value) => listIn(value).at(-1)),
  join: filterOf([TEXT], (value, separator: string) => joined(value, separator)),
  pluck: filterOf([TEXT], (value, name: string) => plucked(value, name)),
  where: filterOf([TEXT, ANY], (value, name: string, wanted: Json) =>
    listIn(value).filter((item) => hasValue(item, name, wanted)),
  ),
  chunk: filterOf([SIZE], (value, size: number) => chunksOf(listIn(value), size)),
  range: filterOf([], numbersBelow),
  keys: filterOf([], (value) => (isObject(value) ? Object.keys(value) : wrongKind('an object', value))),
  slice: filterOf([INDEX, END], (value, from: number, to: number) => sliced(value, from, to)),
};
