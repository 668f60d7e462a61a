/**
 * Measures the console in a browser against an API that answers at once: `npm run bench:console -- [--jobs N]
 * [--tasks N] [--json]`. Needs Chromium, at `QUARTERJACK_CHROMIUM` or `/usr/bin/chromium`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { type BrowserContext, chromium, type Page } from 'playwright-core';

import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { madeUpApi } from './made-up-api';

const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
/** A slow line and a slow machine: 1.6 Mbit/s, 150 ms, a quarter of this machine's speed. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const SLOWER = 4;
const MAX_ROWS = 60;
const SCROLLS = 60;

interface PageFigures {
  path: string;
  /** When the largest part of the page was drawn, on the slow line. */
  lcpMs: number;
  requests: number;
}
interface ListFigures {
  path: string;
  items: number;
  /** Rows in the document, at most, while the list was scrolled from its beginning to its end. */
  mostRows: number;
  /** Steps of the scroll at which the window showed no row. */
  blankSteps: number;
  scriptMsAStep: number;
}

/** A context that is signed in: it has a refresh token, as after a reload. */
async function signedIn(context: BrowserContext): Promise<Page> {
  await context.addInitScript(
    `sessionStorage.setItem('quarterjack.refresh', '{"refreshToken":"made-up","family":"bench"}')`,
  );
  return context.newPage();
}

const settled = async (page: Page): Promise<void> => {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
};

async function pageFigures(context: BrowserContext, url: string, path: string): Promise<PageFigures> {
  const page = await signedIn(context);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let requests = 0;
  page.on('request', () => requests++);
  await page.goto(`${url}/console${path}`);
  await settled(page);
  const lcpMs = await page.evaluate<number>(`new Promise((resolve) =>
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`);
  await page.close();
  return { path, lcpMs: Math.round(lcpMs), requests };
}

const taskSec = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'ScriptDuration')!.value;
};

/** Scrolls a list to its end, where it reads further items, and back. */
async function listFigures(
  context: BrowserContext,
  url: string,
  { path, rows, items }: { path: string; rows: string; items: number },
): Promise<ListFigures> {
  const page = await signedIn(context);
  await page.goto(`${url}/console${path}`);
  await settled(page);
  const count = `document.querySelectorAll(${JSON.stringify(rows)}).length`;
  const height = 'document.documentElement.scrollHeight';
  // To the end, until all items are known: the page is then as high as it gets.
  for (let last = 0, now = await page.evaluate<number>(height); now !== last;) {
    last = now;
    await page.evaluate(`scrollTo(0, ${height})`);
    await settled(page);
    await page.waitForTimeout(500);
    now = await page.evaluate<number>(height);
  }
  let [mostRows, blankSteps] = [0, 0];
  const beforeSec = await taskSec(page);
  const whole = await page.evaluate<number>(height);
  for (let step = SCROLLS; step >= 0; step--) {
    await page.evaluate(`new Promise((done) => {
      scrollTo(0, ${(whole * step) / SCROLLS});
      requestAnimationFrame(() => requestAnimationFrame(done));
    })`);
    const present = await page.evaluate<number>(count);
    mostRows = Math.max(mostRows, present);
    if (present === 0) blankSteps++;
  }
  const scriptMs = ((await taskSec(page)) - beforeSec) * 1_000;
  await page.close();
  return { path, items, mostRows, blankSteps, scriptMsAStep: Math.round((10 * scriptMs) / SCROLLS) / 10 };
}

async function main(): Promise<void> {
  const sizes = numbersFrom({ jobs: 10_000, tasks: 500 });
  execFileSync(process.execPath, [join(__dirname, '../../scripts/build-console.mjs')]);
  const api = await madeUpApi(sizes);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const pages: PageFigures[] = [];
    for (const path of ['/', '/jobs', '/jobs/etl/executions/e0']) {
      note(`console: ${path}`);
      pages.push(await pageFigures(context, api.url, path));
    }
    const lists: ListFigures[] = [];
    for (const list of [
      { path: '/jobs', rows: '.jobs tbody tr:not(.undrawn)', items: sizes.jobs },
      { path: '/jobs/etl/executions/e0', rows: '.gantt tbody tr:not(.undrawn)', items: sizes.tasks },
    ]) {
      note(`console: ${list.path} with ${list.items} rows`);
      lists.push(await listFigures(context, api.url, list));
    }
    report(pages, lists);
  } finally {
    await browser.close();
    await api.stop();
  }
}

function report(pages: readonly PageFigures[], lists: readonly ListFigures[]): void {
  if (wantsJson()) printJson({ machine: machine(), pages, lists });
  else {
    say(machineLine(machine()));
    say(
      table(
        ['first visit', 'LCP ms', 'requests'],
        pages.map(({ path, lcpMs, requests }) => [path, lcpMs, requests]),
      ),
    );
    say();
    say(
      table(
        ['list', 'items', 'most rows', 'blank steps', 'script ms a step'],
        lists.map((one) => [one.path, one.items, one.mostRows, one.blankSteps, one.scriptMsAStep]),
      ),
    );
  }
  for (const { path, mostRows, blankSteps } of lists)
    if (mostRows > MAX_ROWS || blankSteps > 0)
      throw new Error(`${path}: ${mostRows} rows at most ${MAX_ROWS}, ${blankSteps} blank steps`);
}

run('console', main);
