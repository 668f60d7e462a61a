import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { hasChromium, inChromium, launch, overflow, violations, watch } from '../support/console/browser';

const ROOT = join(__dirname, '../..');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const WIDE = { width: 1_440, height: 900 };
const NARROW = { width: 390, height: 844 };

let folder: string;
let server: Server;
let origin: string;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  if (!hasChromium) return;
  folder = mkdtempSync(join(tmpdir(), 'quarterjack-site-'));
  execFileSync(process.execPath, ['--import', 'tsx', 'site/cli.ts', '--out', folder], { cwd: ROOT });
  server = createServer((request, response) => {
    const file = join(folder, new URL(request.url!, 'http://site').pathname);
    response.setHeader('content-type', TYPES[extname(file)] ?? 'text/plain');
    response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launch();
}, 300_000);
afterEach(() => context?.close());
afterAll(async () => {
  await browser?.close();
  server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** Opens a page in a window of its own. `faults` has what it must not do. */
async function opened(path: string, options: { viewport: typeof WIDE; colorScheme?: 'dark' | 'light' }) {
  context = await browser.newContext(options);
  const { faults } = await watch(context, origin);
  const page = await context.newPage();
  await page.goto(`${origin}/${path}`);
  return { page, faults };
}

const PAGES = ['index', 'schedules', 'overview', 'api/jobs', 'problems/not-found'];

inChromium.each(PAGES)('%s is accessible, wide and narrow, light and dark', async (path) => {
  for (const viewport of [WIDE, NARROW]) {
    const { page, faults } = await opened(`${path}.html`, { viewport });
    expect(await violations(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'colours')).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  }
});

const PHONE = { width: 360, height: 740 };

inChromium(
  'no page is wider than a phone, nor cuts off what does not scroll',
  async () => {
    const { page } = await opened('index.html', { viewport: PHONE });
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.html'),
    );
    expect(paths.length).toBeGreaterThan(100);
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(`${origin}/${path}`, { waitUntil: 'domcontentloaded' });
      const cut = await page.evaluate<number>(BEYOND_THE_EDGE);
      if ((await overflow(page)) > 0 || cut > 0) wide.push(path);
    }
    expect(wide).toEqual([]);
  },
  300_000,
);

/** How many elements end beyond the right edge, but for those in a frame that scrolls by itself. */
const BEYOND_THE_EDGE = `[...document.querySelectorAll('main *')].filter((element) =>
  element.getBoundingClientRect().right > innerWidth + 1 &&
  !element.parentElement.closest('pre, .wide')).length`;

inChromium('a search on a phone shows the whole of a long route', async () => {
  const { page } = await opened('index.html', { viewport: PHONE });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('executions execId tasks taskId cancel');
  await found(page).first().waitFor();
  expect(await page.evaluate('document.querySelector("dialog").scrollWidth')).toBe(
    await page.evaluate('document.querySelector("dialog").clientWidth'),
  );
});

const found = (page: Page) => page.locator('dialog .results a');

inChromium('the search is opened by a key, and Enter opens the first page that it has found', async () => {
  const { page, faults } = await opened('adr/0002-recheck.html', { viewport: WIDE });
  await page.keyboard.press('/');
  await page.getByRole('searchbox').fill('clock changes');
  await found(page).first().waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate('document.activeElement.className + document.activeElement.localName')).toBe(
    'a',
  );
  await page.keyboard.press('Enter');
  await page.waitForURL(`${origin}/schedules.html#clock-changes`);
  expect(faults).toEqual([]);
});

inChromium('a search without a result says so', async () => {
  const { page } = await opened('index.html', { viewport: WIDE });
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('searchbox').fill('xylophone zeppelin');
  await page.getByText('Nothing found.').waitFor();
  expect(await found(page).count()).toBe(0);
});

inChromium('on a phone, the pages are behind a button', async () => {
  const { page } = await opened('schedules.html', { viewport: NARROW });
  const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
  expect(await pages.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Pages' }).click();
  await pages.getByRole('link', { name: 'Calendars' }).click();
  await page.waitForURL(`${origin}/calendars.html`);
  expect(await pages.isVisible()).toBe(false);
});
