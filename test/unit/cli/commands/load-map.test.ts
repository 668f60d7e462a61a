import { loadMap, quietestNear } from '../../../../cli/commands/load-map';
import { styleOf } from '../../../../cli/terminal/style';

const style = styleOf(false);
const DAY = '2026-12-01T00:00:00.000Z';

/** A range from midnight whose minutes have these counts, and all others none. */
const range = (minutes: number, counts: Record<number, number> = {}, from = DAY) => ({
  from,
  to: '',
  jobs: 2,
  counts: Array.from({ length: minutes }, (_, minute) => counts[minute] ?? 0),
});
const linesOf = (text: string) => text.split('\n');

describe('the map', () => {
  test.each([
    [100, 60, 'a minute'],
    [77, 60, 'a minute'],
    [76, 30, '2 minutes'],
    [40, 20, '3 minutes'],
    [5, 1, '60 minutes'],
  ])('folds at %s columns to %s places an hour', (columns, places, unit) => {
    const lines = linesOf(loadMap(range(60, { 59: 4 }), columns, style));
    expect(lines[0]!.slice('Tue 12-01 00:00  '.length)).toBe(`${'·'.repeat(places - 1)}█`);
    expect(lines).toContain(`· none, █ 4 in ${unit}`);
  });

  test('has a line for each hour, and shades by the busiest place', () => {
    const lines = linesOf(loadMap(range(7 * 1_440, { 0: 1, 1: 25, 2: 26, 3: 75, 4: 76, 5: 100 }), 80, style));
    expect(lines[0]).toMatch(/^Tue 12-01 00:00 {2}░░▒▓██·/);
    expect(lines[167]).toMatch(/^Mon 12-07 23:00 {2}·{60}$/);
    expect(lines).toContain('Tue 2026-12-01 00:05  100');
    expect(lines).toContain('303 occurrences of 2 jobs planned.');
  });

  test('of nothing is one line', () => {
    expect(loadMap(range(60), 80, style)).toBe('0 occurrences of 2 jobs planned.\n');
  });
});

describe('the quietest minute', () => {
  test('is the nearest of those with the fewest, then the earlier', () => {
    const busy = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [530 + at, 5]));
    expect(quietestNear(range(1_440, { ...busy, 535: 1, 544: 1 }), 540, 10)).toEqual({
      at: '09:04',
      count: 1,
      countThere: 5,
    });
    expect(quietestNear(range(1_440, { ...busy, 535: 1, 545: 1 }), 540, 10)).toMatchObject({ at: '08:55' });
  });

  test('may lie on the other side of midnight, and adds up the days', () => {
    const busy = Object.fromEntries(
      [...Array(10).keys()].flatMap((at) => [at, 1_440 + at].map((minute) => [minute, 1])),
    );
    expect(quietestNear(range(2 * 1_440, busy), 0, 10)).toEqual({ at: '23:59', count: 0, countThere: 2 });
  });

  test('is in the range', () => {
    expect(quietestNear(range(10), 15, 10)).toMatchObject({ at: '00:09', countThere: undefined });
    expect(quietestNear(range(10), 700, 10)).toBeUndefined();
  });
});
