import type { Page } from 'playwright-core';

import { follow, inChromium } from '../../support/console/browser';
import type { ConsoleWorld } from '../../support/console/world';

interface Given {
  world: ConsoleWorld;
  page: Page;
}

/** A backfill is made in the form, ends, and leads to the execution of one of its dates. */
async function fromTheFormToADate({ world, page }: Given): Promise<void> {
  await follow(page, '/jobs/on-workdays');
  await page.locator('[data-part=tabs]').getByRole('link', { name: 'Backfills' }).click();
  await page.locator('[data-part=backfills]').getByRole('button', { name: 'Backfill…' }).click();
  const dialog = page.locator('[data-part=backfill-dialog]');
  await dialog.getByLabel('From').fill('2026-11-02T00:00');
  await dialog.getByLabel('To before').fill('2026-11-02T00:00');
  await dialog.getByRole('alert').getByText('must be later than from').waitFor();
  await dialog.getByLabel('To before').fill('2026-11-05T00:00');
  await dialog.getByLabel('Dates at once').fill('2');
  const plan = dialog.locator('[data-part=backfill-plan]');
  await plan.getByText('3 dates').waitFor();
  // Nine o'clock of the job's zone, whatever that of the browser.
  expect(await plan.locator('time').first().getAttribute('datetime')).toBe('2026-11-02T08:00:00.000Z');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL('**/jobs/on-workdays/executions/*-bf*');
  await page.locator('h1 .s-succeeded').waitFor();
  // The list that the crumbs begin with is the one that the navigation marks.
  const crumb = page.locator('.crumbs a').first();
  expect(await crumb.textContent()).toBe('Backfills');
  expect(await page.locator('[data-part=navigation] [aria-current=page]').textContent()).toBe('Backfills');
  const { body } = await world.api('GET', '/v1/jobs/on-workdays/backfills?limit=1');
  expect(body.items[0]).toMatchObject({ parallel: 2, count: 3, status: 'succeeded' });
  await page.getByText('3 / 3 ended').waitFor();
  await page.locator('[data-part=task-items] tbody tr a').first().click();
  await page.waitForURL('**/executions/20261102T080000.000Z-d-*');
  await page.locator('h1 .s-succeeded').waitFor();
  await page.getByRole('link', { name: 'on-workdays / dates' }).click();
  await page.waitForURL(`**/executions/${body.items[0].execId}?task=dates`);
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  expect(await page.getByRole('button', { name: 'Run again…' }).count()).toBe(0);
}

/** The first date takes long. The backfill is cancelled, and retried once the target is fast. */
async function pauseAndRetry({ world, page }: Given): Promise<void> {
  const job = {
    schedule: { type: 'cron', expression: '0 9 * * *' },
    target: world.at('/200/600000'),
    retry: { maxAttempts: 1 },
  };
  await world.api('PUT', '/v1/jobs/refill', job);
  const range = { from: '2026-11-02T00:00:00Z', to: '2026-11-04T00:00:00Z' };
  const { body } = await world.api('POST', '/v1/jobs/refill/backfills', range);
  await follow(page, `/jobs/refill/executions/${body.execId}`);
  await page.locator('[data-part=task-items] .s-running').waitFor();
  await page.getByRole('button', { name: 'Pause…' }).click();
  await page.getByRole('button', { name: 'Pause the run' }).click();
  await page.locator('h1 .s-held').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('h1 .s-held').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Cancel the run…' }).click();
  await page.locator('[data-part=cancel-run-dialog]').getByRole('button', { name: 'Cancel the run' }).click();
  await page.locator('h1 .s-cancelled').waitFor();
  await world.api('PATCH', '/v1/jobs/refill', { target: world.at('/200/1') });
  await page.getByRole('button', { name: 'Retry…' }).click();
  await page.getByRole('button', { name: 'Retry the run' }).click();
  await page.locator('h1 .s-succeeded').waitFor();
  await page.getByText('2 / 2 ended').waitFor();
  const { body: ended } = await world.api('GET', `/v1/jobs/refill/backfills/${body.execId}`);
  expect(ended.items).toMatchObject({ count: 2, succeeded: 2 });
}

/** All backfills, those of a status, and the way from a row to its run by the keyboard. */
async function ofAllJobs({ world, page }: Given): Promise<void> {
  await follow(page, '/backfills');
  const { body } = await world.api('GET', '/v1/backfills?limit=50');
  const rows = page.locator('.backfills tbody tr');
  await rows.nth(body.items.length - 1).waitFor();
  const jobIds = body.items.map(({ jobId }: { jobId: string }) => jobId);
  expect(jobIds).toEqual(expect.arrayContaining(['on-workdays', 'refill']));
  expect(await rows.locator('a.job').allTextContents()).toEqual(jobIds);
  await page.getByRole('button', { name: 'Cancelled', exact: true }).click();
  await page.getByText('No backfill is cancelled.').waitFor();
  expect(new URL(page.url()).search).toBe('?status=cancelled');
  await page.getByRole('button', { name: 'Show all' }).click();
  await rows.first().waitFor();
  // Before the next frame: the second key acts on the row that the first one has chosen.
  await page.evaluate(`(async () => {
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    press('j');
    await Promise.resolve();
    press('Enter');
  })()`);
  await page.waitForURL(`**/executions/${body.items[0].execId}`);
}

/** What a target answered beyond the history stands in the log of its execution. */
async function longResponse({ world, page }: Given): Promise<void> {
  const job = { schedule: { type: 'none' }, target: world.at('/400/1/long') };
  await world.api('PUT', '/v1/jobs/talks', job);
  const { body } = await world.api('POST', '/v1/jobs/talks/run', {});
  await follow(page, `/jobs/talks/executions/${body.execId}`);
  const log = page.locator('[data-part=log]');
  await log.getByText('the end of it').waitFor();
  expect(await log.locator('.line.system').first().textContent()).toContain('status 400');
}

/** Backfills, their dates, and the logs of those. */
export function backfillTests(given: () => Given): void {
  inChromium('a backfill is made in the form, ends, and leads to the execution of a date', () =>
    fromTheFormToADate(given()),
  );
  inChromium('a backfill is paused, resumed, cancelled and retried', () => pauseAndRetry(given()));
  inChromium('the backfills of all jobs are listed, and filtered by status', () => ofAllJobs(given()));
  inChromium('a long response of a target stands in the log', () => longResponse(given()));
}
