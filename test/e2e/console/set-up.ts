import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { follow, inChromium } from '../../support/console/browser';
import { type ConsoleWorld, ownerOf } from '../../support/console/world';

const ICS = join(__dirname, '../../fixtures/calendars/nager.ics');

interface Given {
  world: ConsoleWorld;
  page: Page;
}

async function calendars({ world, page }: Given): Promise<void> {
  await follow(page, '/calendars');
  await page.getByRole('button', { name: 'Import .ics…' }).click();
  const dialog = page.locator('[data-part=import-dialog]');
  await dialog.locator('input[type=file]').setInputFiles(ICS);
  await dialog.getByRole('status').waitFor();
  await dialog.getByLabel('Id').fill('imported');
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.waitForURL('**/calendars/imported');
  const { body: imported } = await world.api('GET', '/v1/calendars/imported');
  expect(imported.dates.length + imported.yearly.length).toBeGreaterThan(0);

  await follow(page, '/calendars/de-holidays');
  await page.locator('[data-part=calendar-users]').getByRole('link', { name: 'on-workdays' }).waitFor();
  const day = page.locator('.month td').filter({ hasText: /^24.*some hours/ });
  expect(await day.getAttribute('title')).toContain('freeze');
  await page.getByLabel('Every year').fill('01-01 13-40');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('[data-part=calendar] [role=alert]').first().waitFor();
  await page.getByLabel('Every year').fill('01-01 05-01');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('de-holidays is saved.').waitFor();
  expect((await world.api('GET', '/v1/calendars/de-holidays')).body.yearly).toEqual(['01-01', '05-01']);
}

async function notifications({ world, page }: Given): Promise<void> {
  await follow(page, '/settings/notifications');
  await page.getByRole('button', { name: 'New notification' }).click();
  const dialog = page.locator('[data-part=notification-dialog]');
  await dialog.getByLabel('Name').fill('ops');
  await dialog.getByLabel('an execution is late').check();
  await dialog.getByLabel('Late after').fill('1s');
  await dialog.getByLabel('URL', { exact: false }).last().fill(world.at('/200/1').url);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').first().waitFor(); // 30 s at least
  await dialog.getByLabel('Late after').fill('5m');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Test ops' }).click();
  await page.waitForURL('**/jobs/~n-ops/executions/*');
  await page.locator('h1 .s-succeeded').waitFor();
  const { body } = await world.api('GET', '/v1/jobs/~n-ops/executions');
  expect(body.items[0].status).toBe('succeeded');
}

async function incidents({ world, page }: Given): Promise<void> {
  const owner = await ownerOf(world);
  const secret = { value: 'x'.repeat(32), hosts: ['events.eu.pagerduty.com'] };
  expect((await owner('PUT', '/v1/secrets/pd', secret)).status).toBeLessThan(300);
  await follow(page, '/settings/notifications');
  await page.getByRole('button', { name: 'New notification' }).click();
  const dialog = page.locator('[data-part=notification-dialog]');
  await dialog.getByLabel('Name').fill('pager');
  await dialog.getByLabel('Send to').selectOption('pagerduty');
  await dialog.getByLabel('Routing key').fill('{{ secrets.pd }}');
  await dialog.getByLabel('Service region').selectOption('eu');
  await dialog.getByLabel('Severity of a failure').selectOption('critical');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('pager is saved, and in effect.').waitFor();
  const { body } = await owner('GET', '/v1/notifications/pager');
  const target = { type: 'pagerduty', routingKey: '{{ secrets.pd }}', region: 'eu' };
  expect(body).toMatchObject({ target, severity: { failed: 'critical' } });
  await owner('DELETE', '/v1/notifications/pager');
  await owner('DELETE', '/v1/secrets/pd');
}

async function concurrencyKeys({ world, page }: Given): Promise<void> {
  const job = { schedule: { type: 'none' }, target: world.at('/200/600000'), concurrencyKey: 'crm' };
  await world.api('PUT', '/v1/jobs/crm-sync', job);
  for (let index = 0; index < 3; index++) await world.api('POST', '/v1/jobs/crm-sync/run', {});
  await follow(page, '/concurrency-keys');
  const card = page.locator('[data-part=concurrency-key]');
  await card.getByText('2 of 2 slots held, 1 waiting').waitFor();
  await card.getByRole('button', { name: 'Change the limit' }).click();
  await page.locator('[data-part=concurrency-key-dialog] input').fill('3');
  await page.getByRole('button', { name: 'Save' }).click();
  await card.getByText('of 3 slots held').waitFor();
  expect((await world.api('GET', '/v1/concurrency-keys/crm')).body.limit).toBe(3);
}

/** Calendars, notifications and keys. */
export function setUpTests(given: () => Given): void {
  inChromium('a calendar is imported, shown by month with its jobs, and edited', () => calendars(given()));
  inChromium('a notification is made, and its test message is followed', () => notifications(given()));
  inChromium('a notification opens incidents of the severity that its form says', () => incidents(given()));
  inChromium('a concurrency key shows what holds it and what waits, and gets another limit', () =>
    concurrencyKeys(given()),
  );
}
