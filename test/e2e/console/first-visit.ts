import type { Page } from 'playwright-core';

import { follow, inChromium } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';

/** The pages of the menu and of the settings, and what says there what to do first. */
const PAGES: readonly (readonly [path: string, part: string, says: RegExp])[] = [
  ['/', 'needs-you', /three ways to make one/],
  ['/jobs', 'jobs', /Three ways to make one:.*New job.*crontab.*defineJob/s],
  ['/executions', 'executions', /A job makes one at each due time/],
  ['/failures', 'failures', /Who is to hear of the next failure/],
  ['/workflows', 'workflows', /New workflow has an example/],
  ['/backfills', 'all-backfills', /cli backfill JOB/],
  ['/ordering-keys', 'known-keys', /The form of a job has the field/],
  ['/concurrency-keys', 'concurrency-keys', /Make one with its limit/],
  ['/queues', 'work-queues', /cli work --queue/],
  ['/calendars', 'calendars', /cli calendars import/],
  ['/settings/keys', 'api-keys', /lets a program call the API/],
  ['/settings/secrets', 'secrets', /secrets\.NAME/],
  ['/settings/notifications', 'notifications', /goes to Slack/],
  ['/settings/audit', 'audit', /is recorded here/],
];

/** Tables with headings and no row. */
const emptyTables = (page: Page): Promise<number> =>
  page.locator('table').evaluateAll((all) => all.filter((one) => !one.querySelector('tbody tr')).length);

/** In a project without anything, each page says what to do, and none has an empty table. */
async function everythingEmpty(world: ConsoleWorld): Promise<void> {
  const { page, context, watched } = await world.newPage();
  await enter(page, world.system, { user: 'newcomer' });
  for (const [path, part, says] of PAGES) {
    await follow(page, path);
    await page.locator(`[data-part=${part}]`).filter({ hasText: says }).waitFor();
    expect([path, await emptyTables(page)]).toEqual([path, 0]);
  }
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click();
  await page.locator('[data-part=jobs]').getByRole('link', { name: 'New job' }).click();
  await page.waitForURL('**/jobs/~new');
  expect(watched.faults).toEqual([]);
  await context.close();
}

/** What a project shows before it has anything. */
export function firstVisitTests(given: () => ConsoleWorld): void {
  inChromium('each page of an empty project says what to do first', () => everythingEmpty(given()));
}
