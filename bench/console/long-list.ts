import type { Browser, CDPSession, Page } from 'playwright-core';

import { settled, visitor } from './visitor';

const STEPS = 60;
/** A frame that takes longer is seen: three of 60 a second. */
const SLOW_FRAME_MS = 50;

export interface LongList {
  path: string;
  items: number;
  /** Rows that the page knows at its end, by its own count. */
  known: number;
  /** Rows in the document, at most, while the list was scrolled from its end to its beginning. */
  mostRows: number;
  /** Steps of the scroll at which the window showed no row. */
  blankSteps: number;
  scriptMsAStep: number;
  /** Frames of the scroll that took more than 50 ms. */
  slowFrames: number;
  /** The longest task of the scroll; 0 if none took 50 ms. */
  longestTaskMs: number;
  heapMB: number;
  /** Requests to the API until all rows were known. */
  requests: number;
}

/** Scrolls a list to its end, where it reads further rows, and back in steps. */
export async function longList(
  browser: Browser,
  url: string,
  { path, rows, items }: { path: string; rows: string; items: number },
): Promise<LongList> {
  const page = await visitor(browser);
  let requests = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/v1/')) requests++;
  });
  await page.goto(`${url}/console${path}`);
  await settled(page);
  await page.locator(rows).first().waitFor();
  const known = await readToEnd(page, rows, items);
  const asked = requests;
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const before = await metric(session, 'ScriptDuration');
  const scrolled = await scrollBack(page, rows);
  const scriptMs = ((await metric(session, 'ScriptDuration')) - before) * 1_000;
  await session.send('HeapProfiler.collectGarbage');
  const heap = await metric(session, 'JSHeapUsedSize');
  await page.context().close();
  return {
    path,
    items,
    known,
    ...scrolled,
    scriptMsAStep: Math.round((10 * scriptMs) / STEPS) / 10,
    heapMB: Math.round(heap / 100_000) / 10,
    requests: asked,
  };
}

/** Goes to the end again and again until the table says that it has all rows. */
async function readToEnd(page: Page, rows: string, items: number): Promise<number> {
  const table = page.locator(rows).first().locator('xpath=ancestor::table');
  await page.waitForFunction(
    `(() => {
      scrollTo(0, document.documentElement.scrollHeight);
      const table = document.querySelector(${JSON.stringify(rows)})?.closest('table');
      return Number(table?.getAttribute('aria-rowcount')) === ${items + 1};
    })()`,
    undefined,
    { timeout: 300_000, polling: 'raf' },
  );
  return Number(await table.getAttribute('aria-rowcount')) - 1;
}

const metric = async (session: CDPSession, name: string): Promise<number> => {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find((one) => one.name === name)!.value;
};

interface Scrolled {
  mostRows: number;
  blankSteps: number;
  slowFrames: number;
  longestTaskMs: number;
}

/** From the end to the beginning, one step in two frames. What a frame took is by the browser's clock. */
const scrollBack = (page: Page, rows: string): Promise<Scrolled> =>
  page.evaluate<Scrolled>(`(async () => {
    let [mostRows, blankSteps, slowFrames, longestTaskMs] = [0, 0, 0, 0];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, Math.round(duration));
    });
    observer.observe({ type: 'longtask' });
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const whole = document.documentElement.scrollHeight;
    let last = await frame();
    for (let step = ${STEPS}; step >= 0; step--) {
      scrollTo(0, (whole * step) / ${STEPS});
      for (let count = 0; count < 2; count++) {
        const at = await frame();
        if (at - last > ${SLOW_FRAME_MS}) slowFrames++;
        last = at;
      }
      const drawn = [...document.querySelectorAll(${JSON.stringify(rows)})];
      mostRows = Math.max(mostRows, drawn.length);
      const seen = drawn.some((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
      // Beyond its last row and above its first, the window shows other things.
      const table = document.querySelector(${JSON.stringify(rows)})?.closest('tbody')?.getBoundingClientRect();
      if (!seen && table && table.bottom > 0 && table.top < innerHeight) blankSteps++;
    }
    await frame();
    observer.disconnect();
    return { mostRows, blankSteps, slowFrames, longestTaskMs };
  })()`);
