import { execFileSync } from 'node:child_process';

import fc from 'fast-check';

import type { Schedule } from '../../../client/browser';
import { READ_ONLY_FIELDS } from '../../../lambdas/core/http/job';
import { COPIES } from '../../../console/editor/copies';
import { definitionOf } from '../../../console/editor/definition';
import { conflicts, differences, merged, withValue } from '../../../console/editor/diff';
import { firstDraft, requestOf } from '../../../console/pages/job/backfill-draft';
import { atMinute, quietest, typedZone } from '../../../console/editor/minutes';

describe('a schedule that is typed', () => {
  test('plans in its zone, and in UTC until it says one', () => {
    const cron = { type: 'cron', expression: '30 0 * * *', timezone: 'Europe/Berlin' } as const;
    expect(typedZone(cron)).toBe('Europe/Berlin');
    for (const other of [undefined, 'rate(5 minutes)', null, 7, { ...cron, timezone: 'Europe/Berl' }])
      expect(typedZone(other as Schedule)).toBe('UTC');
  });

  test('changes the minute only where it is a single number', () => {
    expect(atMinute('30 9 * * MON-FRI', 37)).toBe('37 9 * * MON-FRI');
    for (const other of ['*/5 9 * * *', '0 30 9 * * *', '@daily'])
      expect(atMinute(other, 37)).toBeUndefined();
  });

  test('the quietest minute nearby is the nearest of the lowest', () => {
    const counts = [0, 9, 9, 9, 9, 3, 9, 41, 9, 3, 9];
    expect(quietest(counts, 7, 3)).toBe(9);
    expect(quietest([5], 0)).toBe(0);
  });
});

describe('two edits of one definition', () => {
  const base = { name: 'a', retry: { maxAttempts: 3, multiplier: 2 }, tags: { team: 'x' }, list: [1, 2] };

  test('differences name the innermost fields, and lists as wholes', () => {
    const after = {
      retry: { maxAttempts: 5, multiplier: 2 },
      tags: { team: 'x', env: 'prod' },
      list: [2, 1],
    };
    expect(differences(base, after)).toEqual([
      { path: ['name'], before: 'a', after: undefined },
      { path: ['retry', 'maxAttempts'], before: 3, after: 5 },
      { path: ['tags', 'env'], before: undefined, after: 'prod' },
      { path: ['list'], before: [1, 2], after: [2, 1] },
    ]);
  });

  test('edits of different fields are merged', () => {
    const mine = { ...base, retry: { ...base.retry, maxAttempts: 5 } };
    const theirs = { ...base, name: 'b', retry: { ...base.retry, multiplier: 3 } };
    expect(merged(base, mine, theirs)).toEqual({
      ...base,
      name: 'b',
      retry: { maxAttempts: 5, multiplier: 3 },
    });
    expect(conflicts(base, mine, theirs)).toEqual([]);
  });

  test('edits of one field are a conflict, unless both say the same', () => {
    const mine = { ...base, name: 'b' };
    expect(conflicts(base, mine, { ...base, name: 'c' }).map(({ path }) => path)).toEqual([['name']]);
    expect(conflicts(base, mine, { ...base, name: 'b' })).toEqual([]);
    expect(merged(base, mine, { ...base, name: 'c' })).toEqual(mine);
  });

  test('a value is set and removed where nothing was before', () => {
    expect(withValue({}, ['retry', 'maxAttempts'], 5)).toEqual({ retry: { maxAttempts: 5 } });
    expect(withValue(base, ['name'], undefined)).not.toHaveProperty('name');
  });

  test('merging with an unchanged side gives the other', () => {
    const json = fc.dictionary(
      fc.constantFrom('a', 'b', 'c'),
      fc.oneof(fc.integer(), fc.dictionary(fc.constantFrom('x', 'y'), fc.integer())),
    );
    fc.assert(
      fc.property(json, json, (before, after) => {
        expect(differences(merged(before, after, before), after)).toEqual([]);
        expect(merged(before, before, after)).toEqual(after);
      }),
    );
  });
});

describe('a definition that is copied', () => {
  const definition = {
    schedule: { type: 'delay', delay: '10s' },
    target: { type: 'http', url: 'https://example.com/it' },
    payload: "it's due",
  } as const;
  const textAs = (wanted: string) =>
    COPIES.find(([name]) => name === wanted)![1]('due-1', definition, 'https://api.example.com');

  test('to a shell is what the API would get', () => {
    const run = (script: string): unknown => JSON.parse(execFileSync('bash', ['-c', script]).toString());
    expect(run(`curl() { printf %s "\${@: -1}"; }; ${textAs('curl')}`)).toEqual(definition);
    expect(run(`npx() { cat; }; ${textAs('command')}`)).toEqual(definition);
    expect(textAs('curl')).toContain('PUT https://api.example.com/v1/jobs/due-1 ');
  });

  test('to JSON and to a CDK app is the same', () => {
    expect(JSON.parse(textAs('JSON'))).toEqual(definition);
    expect(textAs('CDK')).toContain(`jobId: 'due-1', job: ${JSON.stringify(definition, null, 2)} }`);
  });
});

test('a definition has no field that the API refuses to be sent', () => {
  const readOnly = Object.fromEntries([...READ_ONLY_FIELDS].map((field) => [field, 1]));
  expect(readOnly).toHaveProperty('workflowVersion');
  expect(definitionOf({ ...readOnly, name: 'kept' } as never)).toEqual({ name: 'kept' });
});

describe('the form of a backfill', () => {
  const zone = 'Europe/Berlin';
  const draft = firstDraft(Date.parse('2026-10-28T23:30:00Z'), zone);

  test('begins with the last seven days of the zone, across a change of clocks', () => {
    expect(requestOf(draft, zone)).toEqual({
      from: '2026-10-21T22:00:00.000Z',
      to: '2026-10-28T23:00:00.000Z',
      parallel: 1,
      order: 'asc',
      only: 'missing',
      onFailure: 'continue',
      overlap: 'respect',
      priority: 'low',
    });
  });

  test('may begin with due times, of which the last one belongs to it', () => {
    const range = { from: '2026-11-16T08:30:00.000Z', to: '2026-11-19T08:30:00.000Z' };
    expect(requestOf(firstDraft(0, zone, range), zone)).toMatchObject({
      from: '2026-11-16T08:30:00.000Z',
      to: '2026-11-19T08:31:00.000Z',
    });
  });

  test('leaves it to the API to say that a time is missing, and has parameters as JSON', () => {
    const given = requestOf({ ...draft, from: '', params: '{ "day": 1 }' }, zone);
    expect(given).toMatchObject({ from: '', params: { day: 1 } });
    expect(() => requestOf({ ...draft, params: '{' }, zone)).toThrow(SyntaxError);
  });
});
