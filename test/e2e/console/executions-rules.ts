import type { Page } from 'playwright-core';

import { follow, moveClock, open, settled, type Watched } from '../../support/console/browser';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';

const rowsOf = (page: Page) => page.locator('.executions tbody tr');

/** Requests for the list, without those that count. */
const isListing = (url: URL): boolean => url.pathname === '/v1/executions' && !url.searchParams.has('counts');

/** The list of executions, with its filter and its order. */
export async function listInTheAddress(_world: ConsoleWorld, page: Page): Promise<void> {
  await follow(page, '/executions?q=fails');
  const order = () => page.locator('.executions th[aria-sort]').getAttribute('aria-sort');
  const jobs = () => rowsOf(page).locator('.job').allTextContents();
  await eventually(jobs, (all) => all.length >= 3 && all.every((one) => one.startsWith('fails-')));
  const heading = page.getByRole('button', { name: 'Job', exact: true });
  await heading.focus();
  await page.keyboard.press('Enter');
  await eventually(order, (one) => one === 'ascending');
  const sorted = await jobs();
  expect(sorted).toEqual(sorted.toSorted());
  await page.reload();
  await settled(page);
  expect([await order(), await jobs()]).toEqual(['ascending', sorted]);
}

/** What is listed while the answer to another filter is under way. */
export async function oldRowsAreMarked(_world: ConsoleWorld, page: Page): Promise<void> {
  await follow(page, '/executions?q=fails');
  await rowsOf(page).first().waitFor();
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  let isAsked = false;
  await page.route(isListing, async (route) => {
    isAsked = true;
    await held;
    await route.fallback();
  });
  await page.getByLabel('Status').selectOption('succeeded');
  await eventually(
    () => isAsked,
    (one) => one,
  );
  const table = page.locator('[data-part=executions] [aria-busy=true].previous > *').first();
  const opacity =
    (await table.count()) > 0 ? await table.evaluate((one) => getComputedStyle(one).opacity) : '1';
  expect(Number(opacity)).toBeLessThan(1);
  expect(await page.locator('[data-part=title] .sub').textContent()).toContain('of the filter before');
  answer();
  await settled(page);
  expect(await page.locator('.executions .s-failed').count()).toBe(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** Counts of the API, whatever the list has read. */
export async function countsOfTheApi(world: ConsoleWorld, page: Page): Promise<void> {
  const counts = { succeeded: 1_950, failed: 7, cancelled: 0, skipped: 12, atLeast: true };
  await page.route(
    (url) => url.pathname === '/v1/executions' && url.searchParams.has('counts'),
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), counts } });
    },
  );
  await open(page, world.system.url, '/executions?status=failed');
  const buttons = page.locator('[data-part=counts] button');
  expect(await buttons.allTextContents()).toEqual([
    'succeeded ≥ 1,950',
    'failed ≥ 7',
    'cancelled ≥ 0',
    'skipped ≥ 12',
  ]);
  await buttons.first().click();
  await page.waitForURL('**/executions?status=succeeded');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** A project of more jobs than are listed together, and a deployment without a journal. */
export async function boundsAreSaid(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  const tooMany = { status: 400, title: 'Invalid', errors: [{ field: 'query', message: 'more than 500' }] };
  await page.route(
    (url) => isListing(url) && url.searchParams.get('status') === null,
    (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', json: tooMany }),
  );
  await open(page, world.system.url, '/executions');
  await rowsOf(page).first().waitFor();
  expect(await page.locator('.executions .s-running').count()).toBe(0);
  expect(await page.locator('[data-part=title] .sub').textContent()).toContain(
    'only what has ended is listed',
  );
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.route(
    (url) => url.pathname === '/v1/executions' && url.searchParams.has('counts'),
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), counts: null } });
    },
  );
  await open(page, world.system.url, '/executions');
  expect(await page.locator('[data-part=counts]').textContent()).toContain('keeps no journal of ends');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  watched.faults.length = 0; // the browser reports the 400
}

/** A run appears by itself, and its row changes until it has ended. */
export async function listIsLive(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  await page.clock.install();
  await open(page, world.system.url, '/executions?q=invoice');
  const before = await rowsOf(page).count();
  await world.api('POST', '/v1/jobs/invoice-42/run', {});
  await executionWith(world, 'invoice-42', 'succeeded');
  for (let polls = 0; polls < 3; polls++) await moveClock(page, watched, 20_000);
  await moveClock(page, watched, 100);
  expect(await rowsOf(page).count()).toBe(before + 1);
  await page.clock.resume();
}
