import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { configOfProps } from '../../lib/config/props-config';
import type { QuarterjackProps } from '../../lib';
import { documentedMembers } from '../support/documented-members';

const textOf = (file: string): string => readFileSync(join(__dirname, '../../lib', file), 'utf8');
const members = ['quarterjack-props.ts', 'capacity-props.ts'].flatMap((file) =>
  documentedMembers(textOf(file)),
);

/** Where the members of an interface are in a configuration, and the properties that have one of them. */
const PLACES: Record<
  string,
  { of: (config: ReturnType<typeof configOfProps>) => object; with: (value: object) => QuarterjackProps }
> = {
  QuarterjackProps: { of: (config) => config, with: (value) => value },
  QuotaProps: { of: ({ quotas }) => quotas, with: (quotas) => ({ quotas }) },
  PoolProps: { of: ({ pools }) => pools.default, with: (pool) => ({ pools: { default: pool } }) },
};

/** The value of a literal in a comment; undefined: it is a sentence. */
function literal(text: string): unknown {
  const json = text
    .replace(/(?<=\d)_(?=\d)/g, '')
    .replaceAll("'", '"')
    .replace(/(?<=\{ ?)(\w+):/g, '"$1":');
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const config = configOfProps({}, 'nothing');
const known = members.flatMap(({ owner, name, doc, standard }) => {
  const value = standard === undefined || name === 'project' ? undefined : literal(standard);
  const place = PLACES[owner];
  return value === undefined || place === undefined ? [] : [{ owner, name, doc, value, place }];
});

test('each default that the comments give as a value is the one of the configuration', () => {
  const said = known.map(({ owner, name, value }) => [`${owner}.${name}`, value]);
  const real = known.map(({ owner, name, place }) => [
    `${owner}.${name}`,
    (place.of(config) as Record<string, unknown>)[name],
  ]);
  expect(said.length).toBeGreaterThan(35);
  expect(said).toEqual(real);
});

const ranges = known.flatMap(({ owner, name, doc, value, place }) => {
  const [, least, most] = /(?<![\d,])([\d,]+) to ([\d,]*\d)/.exec(doc) ?? [];
  if (typeof value !== 'number' || least === undefined || most === undefined) return [];
  const [min, max] = [least, most].map((one) => Number(one.replaceAll(',', '')));
  return [{ owner, name, place, min: min!, max: max! }];
});

test('the comments give the range of each quota', () => {
  const ofQuotas = ranges.filter(({ owner }) => owner === 'QuotaProps').map(({ name }) => name);
  expect(ofQuotas.toSorted()).toEqual(Object.keys(config.quotas).toSorted());
});

test.each(ranges)(
  '$name of $owner is from $min to $max, and an error names field, value and range',
  ({ name, place, min, max }) => {
    const given = (value: number) => () => configOfProps(place.with({ [name]: value }), 'Shop/Jobs');
    for (const wrong of [min - 1, max + 1])
      expect(given(wrong)).toThrow(`${name} = ${wrong}: expected a whole number from ${min} to ${max}`);
    for (const right of [min, max]) expect(given(right)).not.toThrow();
  },
);
