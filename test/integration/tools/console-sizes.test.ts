import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const files = join(root, 'dist/lambdas/console/files');
const kB = 1_000;

beforeAll(() => execFileSync(process.execPath, [join(root, 'scripts/build-console.mjs')]), 60_000);

/** What the routes load; the arithmetic of schedules and the sign-in come after a page is there. */
const PAGES = ['today', 'jobs', 'new-job', 'job', 'execution', 'failures', 'settings', 'deployment'];

const gzipped = (name: string): number => statSync(join(files, `${name}.gz`)).size;
const assets = (): string[] => readdirSync(join(files, 'assets')).filter((name) => /\.(js|css)$/.test(name));

/** What a script loads before it runs: itself and its static imports. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(files, 'assets', name), 'utf8');
  for (const [, imported] of text.matchAll(
    /(?:^|[;}\n])import(?:[^"'`()]*from)?["'`]\.\/([\w.-]+\.js)["'`]/g,
  ))
    loadedWith(imported!, seen);
  return seen;
}

const sum = (names: Iterable<string>): number =>
  [...names].reduce((all, name) => all + gzipped(`assets/${name}`), 0);
const page = () => readFileSync(join(files, 'index.html'), 'utf8');
const entry = (): string => /src="\/console\/assets\/([\w.-]+\.js)"/.exec(page())![1]!;
const style = (): string => /href="\/console\/assets\/([\w.-]+\.css)"/.exec(page())![1]!;
/** Scripts that are loaded later, by dynamic import. */
const lazy = (): string[] => {
  const first = loadedWith(entry());
  return assets().filter((name) => name.endsWith('.js') && !first.has(name));
};

test('the first load of any page is at most 77 kB, compressed', () => {
  const first = loadedWith(entry());
  const shell = gzipped('index.html') + gzipped(`assets/${style()}`) + sum(first);
  const pages = lazy().filter((name) => PAGES.some((page) => name.startsWith(`${page}-`)));
  const largest = Math.max(
    ...pages.map((name) => sum([...loadedWith(name)].filter((one) => !first.has(one)))),
  );
  expect(pages.length).toBeGreaterThanOrEqual(PAGES.length);
  expect(shell).toBeGreaterThan(10 * kB);
  expect(largest).toBeGreaterThan(5 * kB);
  expect(shell + largest).toBeLessThanOrEqual(77 * kB);
});

test('a file that is loaded later is at most 30 kB, and all files together 200 kB', () => {
  expect(Math.max(...lazy().map((name) => gzipped(`assets/${name}`)))).toBeLessThanOrEqual(30 * kB);
  expect(sum(assets())).toBeLessThanOrEqual(200 * kB);
});

test('a first visit loads at most 14 files', () => {
  const first = loadedWith(entry());
  const pages = lazy().filter((name) => PAGES.some((page) => name.startsWith(`${page}-`)));
  const scripts = pages.map((name) => new Set([...first, ...loadedWith(name)]).size);
  const others = ['index.html', 'config.json', 'mark.svg', style()];
  expect(Math.max(...scripts) + others.length).toBeLessThanOrEqual(14);
});

test('the forms of jobs are no part of a first visit, which shows Today', () => {
  const today = lazy().find((name) => name.startsWith('today-'))!;
  const forms = assets().filter((name) => /^form-.*\.js$/.test(name));
  expect(forms).toHaveLength(1);
  expect([...loadedWith(entry()), ...loadedWith(today)]).not.toContain(forms[0]);
});

test('the page names no other origin and has no script in it, and no file makes code of text', () => {
  for (const name of assets()) {
    const text = readFileSync(join(files, 'assets', name), 'utf8');
    expect([name, /document\.write|new Function\(|\beval\(/.exec(text)?.[0]]).toEqual([name, undefined]);
  }
  expect(page()).not.toMatch(/https?:/);
  expect(page()).not.toMatch(/<script(?![^>]*src=)/);
});
