import type { Browser } from 'playwright-core';

import { settled, visitor } from './visitor';

/** A slow line and a slow machine: 1.6 Mbit/s down, 0.7 up, 150 ms, a quarter of this machine's speed. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };
const SLOWER = 4;

export interface FirstVisit {
  path: string;
  /** When the largest part of the page was drawn. */
  lcpMs: number;
  /** Cumulative layout shift. */
  shift: number;
  requests: number;
  /** What came over the line, compressed, headers included. */
  kB: number;
}

/** Opens a page with an empty cache on a slow line. The browser itself counts paints and shifts. */
export async function firstVisit(browser: Browser, url: string, path: string): Promise<FirstVisit> {
  const page = await visitor(browser);
  await page.addInitScript(`
    globalThis.figures = { lcpMs: 0, shift: 0 };
    new PerformanceObserver((list) => { figures.lcpMs = list.getEntries().at(-1).startTime; })
      .observe({ type: 'largest-contentful-paint', buffered: true });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) figures.shift += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  let [requests, bytes] = [0, 0];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    requests++;
    bytes += encodedDataLength;
  });
  await page.goto(`${url}/console${path}`);
  await settled(page);
  await page.waitForLoadState('networkidle');
  const { lcpMs, shift } = await page.evaluate<{ lcpMs: number; shift: number }>('figures');
  await page.context().close();
  return {
    path,
    lcpMs: Math.round(lcpMs),
    shift: Math.round(shift * 1_000) / 1_000,
    requests,
    kB: Math.round(bytes / 1_000),
  };
}
