import type { Browser } from 'playwright-core';

import type { MadeUpApi } from './made-up-api';
import { settled, visitor } from './visitor';

/** What each page shows first of its data. */
export const FIRST_DATA = {
  '/': '[data-part=needs-you], [data-part=numbers]',
  '/executions': '.executions tbody tr',
  '/failures': '[data-part=group]',
  '/jobs': '.jobs tbody tr',
} as const;

export interface SlowVisit {
  path: string;
  requests: number;
  /** What the API has sent, before compression. */
  kB: number;
  /** Milliseconds from the first request to the API until the first data was drawn, and until all was. */
  firstMs: number;
  wholeMs: number;
  /** How many requests, one begun after the end of the other, came before the first data, and before all. */
  firstTrips: number;
  wholeTrips: number;
}

/** Opens a page whose API takes a while for each answer. The files of the console come at once. */
export async function slowVisit(
  browser: Browser,
  api: MadeUpApi,
  path: keyof typeof FIRST_DATA,
): Promise<SlowVisit> {
  const page = await visitor(browser);
  await page.addInitScript(`
    const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
    const firstRequest = () => performance.getEntriesByType('resource')
      .filter(({ name }) => new URL(name).pathname.startsWith('/v1/'))
      .reduce((least, { startTime }) => Math.min(least, startTime), Infinity);
    globalThis.seenMs = new Promise((resolve) => {
      const look = () => {
        if ([...document.querySelectorAll(${JSON.stringify(FIRST_DATA[path])})].some(isSeen))
          resolve(performance.now());
        else requestAnimationFrame(look);
      };
      look();
    });
    globalThis.sinceFirstRequest = (ms) => Math.round(ms - firstRequest());
    // Each request is one trip more than the last of those that had ended when it began.
    globalThis.tripsUntil = (ms) => {
      const seen = [];
      for (const { name, startTime, responseEnd } of performance.getEntriesByType('resource')
        .sort((a, b) => a.startTime - b.startTime)) {
        if (!new URL(name).pathname.startsWith('/v1/') || responseEnd > ms) continue;
        const before = seen.filter((one) => one.responseEnd <= startTime).map(({ trips }) => trips);
        seen.push({ responseEnd, trips: 1 + Math.max(0, ...before) });
      }
      return Math.max(0, ...seen.map(({ trips }) => trips));
    };`);
  const asked = api.asked();
  await page.goto(`${api.url}/console${path}`);
  const firstMs = await page.evaluate<number>('seenMs.then(sinceFirstRequest)');
  const firstTrips = await page.evaluate<number>('seenMs.then(tripsUntil)');
  await settled(page);
  const wholeMs = await page.evaluate<number>('sinceFirstRequest(performance.now())');
  const wholeTrips = await page.evaluate<number>('tripsUntil(performance.now())');
  await page.waitForLoadState('networkidle');
  await page.context().close();
  const { requests, bytes } = api.asked();
  return {
    path,
    requests: requests - asked.requests,
    kB: Math.round((bytes - asked.bytes) / 1_000),
    firstMs,
    wholeMs,
    firstTrips,
    wholeTrips,
  };
}
