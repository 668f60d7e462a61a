import type { Locator, Page } from 'playwright-core';

import { follow, type Watched } from '../../support/console/browser';
import type { ConsoleWorld } from '../../support/console/world';

/** A field of a form by how its label begins. */
export const fieldOf = (within: Page | Locator, label: string): Locator =>
  within
    .locator('label.labelled', { hasText: new RegExp(`^${label}`) })
    .locator('.field')
    .first();

const jsonOf = (page: Page) => page.locator('[data-part=job-json] textarea');
export const definitionIn = async (page: Page): Promise<Record<string, unknown>> =>
  JSON.parse(await jsonOf(page).inputValue()) as Record<string, unknown>;

/** An empty form, also where one is open. Its heading has had the focus, so no field loses it to that. */
export async function newJob(page: Page): Promise<void> {
  await follow(page, '/settings');
  await page.locator('[data-part=me]').waitFor();
  await follow(page, '/jobs/~new');
  await page.locator('h1:focus', { hasText: 'New job' }).waitFor();
}

/** A definition of tomorrow's API is typed as JSON, and changed in the form. */
export async function formKeepsAll(_world: ConsoleWorld, page: Page): Promise<void> {
  await newJob(page);
  const target = { type: 'http', url: 'https://example.com/', later: [1], headers: { 'X-A': 'b: c' } };
  const definition = { schedule: { type: 'cron', expression: '0 9 * * *' }, target, later: {} };
  await jsonOf(page).fill(JSON.stringify(definition));
  await fieldOf(page, 'Expression').fill('0 10 * * *');
  await fieldOf(page, 'URL').fill('https://example.com/it');
  await fieldOf(page, 'Headers').fill('X-A: d');
  await fieldOf(page, 'Name').fill('Kept');
  expect(await definitionIn(page)).toEqual({
    ...definition,
    schedule: { ...definition.schedule, expression: '0 10 * * *' },
    target: { ...target, url: 'https://example.com/it', headers: { 'X-A': 'd' } },
    name: 'Kept',
  });
  expect(await page.locator('[data-part=definition-form]').textContent()).toContain(
    'Only in the JSON: later.',
  );
}

/** The field is in a section that is closed. */
export async function refusalAtItsField({ at }: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  await newJob(page);
  const definition = { schedule: { type: 'none' }, target: at('/200/1'), pauseAfter: { failures: 0 } };
  await jsonOf(page).fill(JSON.stringify(definition));
  const field = fieldOf(page, 'Pause after');
  expect(await field.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.locator('[data-part=new-job]').getByText('pauseAfter.failures').waitFor();
  const said = () =>
    field.evaluate((one) => one.closest('label')!.querySelector('.wrong')?.textContent ?? '');
  expect(await said()).toContain('from 1 to');
  await page.locator('[data-part=new-job] .field:focus').waitFor();
  expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
  // A browser writes each answer of 400 to its console.
  watched.faults.splice(0, Infinity, ...watched.faults.filter((fault) => !fault.includes('/v1/jobs')));
}

export async function defaultsStayOut(_world: ConsoleWorld, page: Page): Promise<void> {
  await newJob(page);
  await page.getByText('Tries and times').click();
  const attempts = fieldOf(page, 'Attempts');
  expect(await attempts.getAttribute('placeholder')).toBe('3');
  expect(await attempts.inputValue()).toBe('');
  expect(await fieldOf(page, 'Priority').locator('option').first().textContent()).toBe('as usual: medium');
  await attempts.fill('5');
  expect((await definitionIn(page)).retry).toEqual({ maxAttempts: 5 });
  await attempts.fill('');
  expect(Object.keys(await definitionIn(page))).toEqual(['schedule', 'target']);
}
