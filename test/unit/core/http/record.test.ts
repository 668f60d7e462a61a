import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import * as z from 'zod/mini';

import { record } from '../../../../lambdas/core/http/fields';

const Numbers = record(z.string(), z.number());
const given = (text: string) => Numbers.safeParse(JSON.parse(text));

test('the name __proto__ is rejected, not dropped', () => {
  expect(given('{"a":1,"__proto__":2}').error?.issues).toMatchObject([
    { path: ['__proto__'], message: 'is not allowed as a name' },
  ]);
});

test.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', '__proto', ''])(
  '%j is a name as any other',
  (name) => {
    const { data } = given(JSON.stringify({ [name]: 1 }));
    expect(Object.entries(data!)).toEqual([[name, 1]]);
  },
);

test('no schema of a request has a record of zod alone', () => {
  const rooms = path.join(__dirname, '../../../../lambdas/core/http');
  const files = readdirSync(rooms).filter((file) => file.endsWith('.ts') && !file.endsWith('answers.ts'));
  const raw = files.filter((file) =>
    /\bz\s*\.(?:partialR|looseR|r)ecord\b/.test(readFileSync(path.join(rooms, file), 'utf8')),
  );
  expect(raw).toEqual(['fields.ts']);
});
