import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { contrast, deltaE, rgbOf, seenBy, VISIONS } from './colour';

const style = join(__dirname, '../../../console/style');
const tokens = readFileSync(join(style, 'tokens.css'), 'utf8');
const colours = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(([, name, light, dark]) => [
    name!,
    { light: light!, dark: dark! },
  ]),
);
const hex = (name: string, theme: 'light' | 'dark'): string => colours.get(name)![theme];

const STATUSES = ['succeeded', 'failed', 'running', 'retrying', 'skipped'];
const pairs = STATUSES.flatMap((a, index) => STATUSES.slice(index + 1).map((b) => [a, b] as const));
const THEMES = ['light', 'dark'] as const;

/** The pairs of CIEDE2000 that its authors published. */
test('the distance is that of CIEDE2000', () => {
  expect(deltaE(rgbOf('#ffffff'), rgbOf('#000000'))).toBeCloseTo(100, 0);
  expect(deltaE(rgbOf('#1c755d'), rgbOf('#1c755d'))).toBe(0);
});

describe.each(Object.entries(VISIONS))('in %s vision', (_, vision) => {
  test.each(THEMES.flatMap((theme) => ['', '-fill'].map((kind) => [theme, kind] as const)))(
    'the colours of two statuses are at least 10 apart (%s%s)',
    (theme, kind) => {
      const near = pairs
        .map(([a, b]) => {
          const [first, second] = [a, b].map((name) => seenBy(vision, rgbOf(hex(name + kind, theme))));
          return { pair: `${a}/${b}`, distance: deltaE(first!, second!) };
        })
        .filter(({ distance }) => distance < 10);
      expect(near).toEqual([]);
    },
  );
});

test.each(THEMES)('texts have a contrast of at least 4.5 on each ground (%s)', (theme) => {
  const grounds = ['surface', 'sunken', 'bg'];
  const texts = ['text', 'text-2', 'text-3', 'link', ...STATUSES];
  const weak = grounds.flatMap((ground) =>
    texts
      .map((text) => ({ text, ground, ratio: contrast(rgbOf(hex(text, theme)), rgbOf(hex(ground, theme))) }))
      .filter(({ ratio }) => ratio < 4.5),
  );
  expect(weak).toEqual([]);
});

test('each status has a shape of its own', () => {
  const marks = readFileSync(join(style, '../parts/status-mark.tsx'), 'utf8');
  const [, block = ''] = /STATUS_SHAPES[^]*?= \{\n([^]*?)\n\};/.exec(marks) ?? [];
  const shapes = block.split(/\n(?= {2}\w)/).map((entry) => {
    const [name = '', ...shape] = entry.trim().split(':');
    return { name, shape: shape.join(':').replace(/\s+/g, ' ') };
  });
  expect(shapes.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...STATUSES, 'cancelled', 'queued', 'paused']),
  );
  expect(new Set(shapes.map(({ shape }) => shape)).size).toBe(shapes.length);
});
