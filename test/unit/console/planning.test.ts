import { createHash } from 'node:crypto';

import { inLayers } from '../../../console/draw/layers';
import { sha256 } from '../../../console/planning/sha-256';
import { canonicalZoneName } from '../../../console/planning/zone-names';

test('the hash of the browser is that of Node.js, for every length up to three blocks', () => {
  const differ = Array.from({ length: 180 }, (_, length) => 'x'.repeat(length)).filter(
    (text) =>
      Buffer.from(sha256(Buffer.from(text))).toString('hex') !==
      createHash('sha256').update(text).digest('hex'),
  );
  expect(differ).toEqual([]);
});

test('a zone has any case, and an offset is none', () => {
  expect(canonicalZoneName('europe/BERLIN')).toBe('Europe/Berlin');
  expect(canonicalZoneName('UTC')).toBe('UTC');
  expect(canonicalZoneName('US/Eastern')).toBe('US/Eastern'); // a link: Intl may not list it
  expect(canonicalZoneName('+05:30')).toBeUndefined();
  expect(canonicalZoneName('Mars/Olympus')).toBeUndefined();
});

describe('layers', () => {
  const size = { height: 40, gap: 10 };
  const link = (from: string, to: string) => ({ from, to });

  test('a task in the list before what it depends on is right of it all the same', () => {
    const { places } = inLayers(['b', 'a'], [link('a', 'b')], size);
    expect([places.get('a')!.x, places.get('b')!.x]).toEqual([0, 1]);
  });

  test('a long edge passes between the boxes of the layers that it crosses', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const links = [
      link('a', 'b'),
      link('b', 'c'),
      link('a', 'd'),
      link('d', 'c'),
      link('a', 'c'),
      link('c', 'e'),
    ];
    const { places, through } = inLayers(ids, links, size);
    const [point] = through[4]!;
    const inTheWay = ids.filter(
      (id) => places.get(id)!.x === point!.x && Math.abs(places.get(id)!.y - point!.y) < size.height / 2,
    );
    expect([point!.x, inTheWay]).toEqual([1, []]);
  });

  test('two edges do not cross if they need not', () => {
    const { places } = inLayers(['a', 'b', 'c', 'd'], [link('a', 'd'), link('b', 'c')], size);
    const y = (id: string) => places.get(id)!.y;
    expect(y('a') < y('b')).toBe(y('d') < y('c'));
  });
});
