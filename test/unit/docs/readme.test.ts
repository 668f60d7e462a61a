import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const lines = readFileSync(join(__dirname, '../../../README.md'), 'utf8').split('\n');

test('the README has less than 150 lines', () => {
  expect(lines.length).toBeLessThan(150);
});

test('its first screen has the two commands for a fresh machine, and the one without a checkout', () => {
  const screen = lines.slice(0, 15).join('\n');
  expect(screen).toMatch(/^npm ci && npm run demo /m);
  expect(screen).toMatch(/^npm ci && npm test /m);
  expect(screen).toContain('`npx @quarterjack/cli dev`');
});
