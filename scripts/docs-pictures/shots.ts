import type { Page } from 'playwright-core';

/** One picture. */
export interface Shot {
  /** The name of its file, without the extension. */
  name: string;
  /** Below `/console`. */
  path: string;
  /** @default light */
  scheme?: 'light' | 'dark';
  /** As operators see it. */
  isForOperators?: boolean;
  /** As on a desktop, as on one that is scrolled to its end, or as on a phone. @default wide */
  size?: 'wide' | 'tall' | 'narrow';
  /** Brings the page to where the picture is made. It waits for what it needs. */
  prepare?(page: Page): Promise<void>;
}

const today = (page: Page) => page.locator('.heat rect').first().waitFor();

async function failedTask(page: Page): Promise<void> {
  const failed = page.locator('[data-part=runs] tbody tr', { hasText: 'load-orders' }).locator('.s-failed');
  await failed.last().click();
  await page.locator('[data-part=task-attempts]').waitFor();
}

async function runningBackfill(page: Page): Promise<void> {
  await page.locator('[data-part=all-backfills] tr', { hasText: 'etl' }).locator('a.job').first().click();
  await page.locator('[data-part=task-items] tbody tr').first().waitFor();
}

async function whyPaused(page: Page): Promise<void> {
  const row = page.locator('.ledger tbody tr', { hasText: 'paused by' }).first();
  const due = await row.locator('time').first().getAttribute('datetime');
  await page.goto(new URL(`/console/jobs/inventory-sync/why?at=${due}`, page.url()).href);
  await page.locator('.proof li').first().waitFor();
}

/** The pictures of the docs. */
export const SHOTS: readonly Shot[] = [
  { name: 'today', path: '/', size: 'tall', prepare: today },
  { name: 'today-dark', path: '/', size: 'tall', scheme: 'dark', prepare: today },
  { name: 'today-narrow', path: '/', size: 'narrow' },
  { name: 'jobs', path: '/jobs' },
  { name: 'job', path: '/jobs/inventory-sync' },
  {
    name: 'schedule',
    path: '/jobs/invoice-reminder/schedule',
    async prepare(page) {
      await page.locator('[data-part=preview] input').fill('2027-03-24');
      await page.locator('.clock-note').first().waitFor();
      await page.locator('[data-part=preview] input').blur();
    },
  },
  { name: 'why', path: '/jobs/inventory-sync?show=skipped', prepare: whyPaused },
  {
    name: 'execution',
    path: '/jobs/inventory-sync?show=failed',
    async prepare(page) {
      const row = page.locator('.ledger tbody tr', { hasText: 'attempts used up' }).first();
      await row.getByRole('link').first().click();
      await page.locator('[data-part=attempts]').waitFor();
    },
  },
  { name: 'failures-dark', path: '/failures', scheme: 'dark' },
  { name: 'run', path: '/workflows/nightly-warehouse', prepare: failedTask },
  { name: 'run-dark', path: '/workflows/nightly-warehouse', scheme: 'dark', prepare: failedTask },
  { name: 'backfills', path: '/backfills' },
  { name: 'backfill', path: '/backfills', prepare: runningBackfill },
  { name: 'queues', path: '/queues' },
  { name: 'deployment', path: '/deployment', isForOperators: true },
];
