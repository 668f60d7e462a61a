import { Renderer } from '../../../../lambdas/core/templates/render';
import type { Json } from '../../../../lambdas/core/templates/syntax';
import { zoneOf } from '../../../../lambdas/core/schedule/zone';

const roots: Record<string, Json> = {
  run: { id: 'r-1', dueAt: '2026-03-29T01:00:00.000Z', day: '2026-03-29' },
  item: {
    list: [1, [2], 'three', null],
    objects: [
      { n: 1, kind: 'a' },
      { n: 2, kind: 'b' },
    ],
    text: 'añ😀z',
    none: null,
    zero: 0,
    deep: { a: { b: true } },
  },
};
const berlin = zoneOf('Europe/Berlin');
const json = (text: Json): Json => new Renderer({ roots, zone: berlin }).json(text);
const of = (expression: string): Json => json(`{{ ${expression} }}`);

it('keeps the type of a text that is one expression, and makes text of any other', () => {
  const rendered = json({
    '{{ run.id }}': '{{ item.list }}',
    nested: ['{{item.zero}}', ' {{item.zero}}', '{{item.deep}}!', '{{{{ run.id }}', 7, null],
  });
  expect(rendered).toEqual({
    '{{ run.id }}': roots.item && [1, [2], 'three', null],
    nested: [0, ' 0', '{"a":{"b":true}}!', '{{ run.id }}', 7, null],
  });
});

it('reads own properties and items alone', () => {
  expect(of('item.list[-1]')).toBeNull();
  expect(of('item.list[1][0]')).toBe(2);
  for (const path of [
    'item.constructor',
    'item.__proto__',
    'item.list.length',
    'item.text[0]',
    'item.list[9]',
  ])
    expect(of(`${path} | default('none')`)).toBe('none');
  expect(() => of('run.constructor')).toThrow(
    '{{ run.constructor }}: run.constructor has no value; the filter default would replace it',
  );
});

it('keeps a key __proto__ as a key', () => {
  const value = JSON.parse('{"__proto__":"{{ run.id }}"}') as Json;
  expect(JSON.stringify(json(value))).toBe('{"__proto__":"r-1"}');
});

it.each<[string, Json]>([
  ["item.none | default('x')", 'x'],
  ['item.zero | default(1)', 0],
  ['item.nothing | default(item.none)', null],
  ["item.list | slice(9) | first | default('empty')", 'empty'],
  ['item.text | length', 4],
  ['item.text | slice(1, 3)', 'ñ😀'],
  ['item.text | slice(-1)', 'z'],
  ['item.list | slice(1, -1)', [[2], 'three']],
  ["item.objects | where('n', 2) | pluck('kind') | first", 'b'],
  ["item.objects | where('toString', 1)", []],
  ['item.list | chunk(3)', [[1, [2], 'three'], [null]]],
  ["item.list | join('-')", '1-[2]-three-null'],
  ["run.day | replace('-', '')", '20260329'],
  ["run.day | replace('$&', 'x')", '2026-03-29'],
  ['item.zero | text | number', 0],
])('%s', (expression, expected) => {
  expect(of(expression)).toEqual(expected);
});

describe('times', () => {
  it.each<[string, Json]>([
    // The clocks of Berlin skip 02:00 to 03:00 on 2026-03-29.
    ["run.dueAt | date('yyyy-MM-dd HH:mm')", '2026-03-29 03:00'],
    ["run.dueAt | shift('-1h') | date('HH:mm')", '01:00'],
    ["run.dueAt | shift('1d')", '2026-03-30T01:00:00.000Z'],
    ["run.dueAt | shift('1d', 'UTC')", '2026-03-30T01:00:00.000Z'],
    ["run.dueAt | shift('-1d')", '2026-03-28T02:00:00.000Z'],
    ["run.dueAt | shift('-1d', 'UTC')", '2026-03-28T01:00:00.000Z'],
    ["run.day | shift('-1M')", '2026-02-28'],
    ["run.day | shift('2w')", '2026-04-12'],
    ["run.day | shift('1h')", '2026-03-29T00:00:00.000Z'],
    ["run.dueAt | startOf('day')", '2026-03-28T23:00:00.000Z'],
    ["run.dueAt | endOf('day')", '2026-03-29T21:59:59.999Z'],
    ["run.dueAt | startOf('week')", '2026-03-22T23:00:00.000Z'],
    ["run.day | startOf('week')", '2026-03-23'],
    ["run.day | endOf('month')", '2026-03-31'],
    ["run.day | endOf('year', 'UTC')", '2026-12-31'],
    ["run.dueAt | startOf('month', 'Asia/Kolkata')", '2026-02-28T18:30:00.000Z'],
    ["run.dueAt | startOf('hour', 'Asia/Kolkata')", '2026-03-29T00:30:00.000Z'],
    ["run.dueAt | endOf('hour', 'Asia/Kolkata')", '2026-03-29T01:29:59.999Z'],
    ['run.day | epoch', 1774738800],
    ["run.day | date('''W''ww EEE ''o''''clock''')", "W13 Sun o'clock"],
    ["run.dueAt | date('ss.SSS')", '00.000'],
  ])('%s', (expression, expected) => {
    expect(of(expression)).toBe(expected);
  });

  it('the start of an hour that the clocks repeat is that of its own pass', () => {
    const second = { roots: { run: { dueAt: '2026-10-25T01:30:00.000Z' } }, zone: berlin };
    expect(new Renderer(second).json("{{ run.dueAt | startOf('hour') }}")).toBe('2026-10-25T01:00:00.000Z');
    expect(new Renderer(second).json("{{ run.dueAt | shift('0d') }}")).toBe('2026-10-25T01:30:00.000Z');
  });

  it('a day that a zone does not have is an error', () => {
    const apia = new Renderer({ roots: { run: { day: '2011-12-29' } }, zone: zoneOf('Pacific/Apia') });
    expect(() => apia.json("{{ run.day | shift('1d') | epoch }}")).toThrow(
      'epoch: 2011-12-30 does not exist in Pacific/Apia: the clocks skip it',
    );
  });
});

it.each([
  ["run.id | date('yyyy')", 'date: "r-1" is not a date and time'],
  ["run.dueAt | shift('900y')", 'shift: the result is out of reach; allowed is 1970 to 2199'],
  ['run.dueAt | date(item.text)', 'date: the format "añ😀z" has "a"'],
  ['item.zero | upper', 'upper: needs a text, not 0'],
  ["item.list | pluck('n')", 'pluck: item 0 has no "n"'],
  ['item.text | number', 'number: needs a number, not "añ😀z"'],
  ['item.list | chunk(item.zero)', 'chunk: needs a whole number from 1, not 0'],
  ['item.list | slice(9) | first', 'the filter first leaves no value'],
  ['item.list | slice(9) | first | text', 'the filter first leaves no value'],
  ['run.dueAt | epoch | range', 'range: makes more than 65536 bytes'],
  ["run.id | replace('-', item.missing)", 'replace: item.missing has no value'],
])('%s fails, and the message names the expression', (expression, message) => {
  expect(() => of(expression)).toThrow(`{{ ${expression} }}: ${message}`);
});

describe('secrets', () => {
  const renderer = new Renderer({ roots, zone: berlin });
  const secrets = new Map([['crm', 'key &1']]);

  it('stand where a map of them is given, and are encoded like values', () => {
    expect(renderer.text('Bearer {{ secrets.crm }}', { secrets })).toBe('Bearer key &1');
    expect(renderer.text('a={{ secrets.crm }}', { secrets, encode: encodeURIComponent })).toBe(
      'a=key%20%261',
    );
    expect(() => renderer.text('{{ secrets.other }}', { secrets })).toThrow('there is no secret "other"');
  });

  it('stand nowhere else', () => {
    expect(() => renderer.text('{{ secrets.crm }}')).toThrow('{{ secrets.crm }}: no secret may stand here');
    expect(() => renderer.json({ a: ['{{ secrets.crm }}'] })).toThrow('no secret may stand here');
  });
});
