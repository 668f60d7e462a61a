import type { Page } from 'playwright-core';

import { apiCaller } from '../../support/api-caller';
import { follow, inChromium, overflow, violations } from '../../support/console/browser';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { definitionIn, fieldOf, newJob } from './form-rules';
import { SCHEDULES, TARGETS, type Filled } from './form-samples';

interface Given {
  world: ConsoleWorld;
  page: Page;
}

/** Chooses a kind and fills its fields, as a user does. */
async function fill(
  page: Page,
  choice: 'Target' | 'Kind',
  { kind, fields, checks = [] }: Filled,
): Promise<void> {
  await page.getByRole('combobox', { name: choice, exact: true }).selectOption({ label: kind });
  const form = page.locator(`[data-part=${choice === 'Kind' ? 'schedule-form' : 'definition-form'}]`);
  for (const [label, value] of Object.entries(fields)) {
    const field = fieldOf(form, label);
    const isChoice = await field.evaluate((one) => one.tagName === 'SELECT');
    if (isChoice) await field.selectOption({ label: value });
    else await field.fill(value);
  }
  for (const name of checks) await page.getByRole('checkbox', { name }).check();
}

/** The one that the samples name. */
async function secret({ system }: ConsoleWorld): Promise<void> {
  const owner = apiCaller(system.url, await system.token('alice', 'project:admin'));
  const given = { value: 'of-the-crm', kind: 'text', hosts: ['127.0.0.1'] };
  expect((await owner('PUT', '/v1/secrets/crm', given)).status).toBeLessThan(300);
}

/** Each is what the API takes. What the deployment does not allow is refused at the field that names it. */
async function eachTarget({ world, page }: Given): Promise<void> {
  await secret(world);
  for (const [index, sample] of TARGETS.entries()) {
    await newJob(page);
    await page.getByLabel('Id made by the API').fill(`target-${index}`);
    await page
      .getByRole('combobox', { name: 'Kind', exact: true })
      .selectOption({ label: 'None: something else starts it' });
    await fill(page, 'Target', sample);
    const { target } = await definitionIn(page);
    expect(target).toEqual(sample.is);
    await page.getByRole('button', { name: 'Create' }).click();
    if (sample.refused === undefined) {
      await page.waitForURL(`**/console/jobs/target-${index}`);
      expect((await world.api('GET', `/v1/jobs/target-${index}`)).body.target).toMatchObject(
        sample.is as object,
      );
    } else {
      const wrong = page
        .locator('label.labelled', { hasText: new RegExp(`^${sample.refused}`) })
        .locator('.wrong');
      await wrong.waitFor();
      expect(await wrong.textContent()).toMatch(/is not among|must not sign/);
      expect(await page.locator('[data-part=new-job] .wrong').count()).toBe(1);
    }
  }
}

async function eachSchedule({ world, page }: Given): Promise<void> {
  for (const [index, sample] of SCHEDULES.entries()) {
    await newJob(page);
    await page.getByLabel('Id made by the API').fill(`schedule-${index}`);
    await fieldOf(page, 'URL').fill(world.at('/200/1').url);
    await fieldOf(page, 'Time zone').fill('');
    await fill(page, 'Kind', sample);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(`**/console/jobs/schedule-${index}`);
    expect((await world.api('GET', `/v1/jobs/schedule-${index}`)).body.schedule).toEqual(sample.is);
  }
}

/** The job never fires by its schedule, which is due each second. */
async function testedOnce({ world, page }: Given): Promise<void> {
  await newJob(page);
  await page.getByLabel('Id made by the API').fill('tested');
  await fieldOf(page, 'URL').fill(world.at('/200/1').url);
  await fill(page, 'Kind', { kind: 'Interval', fields: { Every: '1s' }, is: {} });
  await page.getByRole('button', { name: 'Save paused and run once' }).click();
  await page.waitForURL('**/console/jobs/tested/executions/*');
  await executionWith(world, 'tested', 'succeeded');
  const { body } = await world.api('GET', '/v1/jobs/tested');
  expect(body).toMatchObject({ status: 'paused', schedule: { type: 'interval', every: '1s' } });
  const { body: history } = await world.api('GET', '/v1/jobs/tested/executions');
  expect(history.items.map(({ trigger }: { trigger: string }) => trigger)).toEqual(['manual']);
}

/** Text that is no JSON, and a number that is none, hold the form back and are kept. */
async function halfTyped({ world, page }: Given): Promise<void> {
  await world.api('PUT', '/v1/jobs/half-typed', { schedule: { type: 'none' }, target: world.at('/200/1') });
  await follow(page, '/jobs/half-typed/definition');
  const json = page.locator('[data-part=job-json] textarea');
  await json.fill('{ "schedule": ');
  await page.locator('[data-part=job-json] .wrong').waitFor();
  const isValid = () =>
    page.locator('form.form-grid').evaluate((form) => (form as HTMLFormElement).checkValidity());
  expect(await isValid()).toBe(false);
  expect(await json.inputValue()).toBe('{ "schedule": ');
  const job = { schedule: { type: 'none' }, target: world.at('/200/2'), tags: { team: 'x' } };
  await json.fill(JSON.stringify(job));
  expect(await fieldOf(page, 'URL').inputValue()).toBe(world.at('/200/2').url);
  await fieldOf(page, 'Payload').fill('{ "a": 1');
  expect(await isValid()).toBe(false);
  await fieldOf(page, 'Payload').fill('{ "a": 1 }');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The definition is saved.').waitFor();
  const { body } = await world.api('GET', '/v1/jobs/half-typed');
  expect(body).toMatchObject({ target: job.target, tags: job.tags, payload: { a: 1 } });
}

async function severalTargets({ world, page }: Given): Promise<void> {
  await newJob(page);
  await page.getByLabel('Id made by the API').fill('two-targets');
  await fill(page, 'Kind', { kind: 'None: something else starts it', fields: {}, is: {} });
  await fieldOf(page, 'URL').fill(world.at('/200/1').url);
  await page.getByRole('button', { name: 'Several targets' }).click();
  await page.getByRole('button', { name: 'Add one more' }).click();
  await page
    .getByRole('group')
    .filter({ hasText: 'Target 2' })
    .locator('label', { hasText: /^URL/ })
    .locator('input')
    .fill('ftp://x');
  await page.getByRole('button', { name: 'Create' }).click();
  const second = page
    .getByRole('group')
    .filter({ hasText: 'Target 2' })
    .locator('label', { hasText: /^URL/ });
  await second.locator('.wrong').waitFor();
  await second.locator('input').fill(world.at('/200/2').url);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/console/jobs/two-targets');
  const { body } = await world.api('GET', '/v1/jobs/two-targets');
  expect(body.targets.map(({ url }: { url: string }) => url)).toEqual(
    ['/200/1', '/200/2'].map((path) => world.at(path).url),
  );
}

/** Every section is open, and the target has what it may have: at any width, at 200 %, in any colours. */
async function fits({ world, page }: Given): Promise<void> {
  await secret(world);
  await newJob(page);
  for (const summary of await page.locator('details.section > summary').all()) await summary.click();
  await fill(page, 'Target', TARGETS[0]!);
  const found: unknown[] = [];
  for (const width of [1_440, 1_024, 720, 390]) {
    // 720: a window of 1440 at 200 %
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await violations(page)), ...[await overflow(page)].filter((wider) => wider > 0));
  }
  for (const media of [{ colorScheme: 'dark' }, { colorScheme: 'light', forcedColors: 'active' }] as const) {
    await page.emulateMedia(media);
    found.push(...(await violations(page, 'colours')));
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.setViewportSize({ width: 1_280, height: 720 });
  expect(found).toEqual([]);
}

/** The words of the field that has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.closest('label')?.textContent ?? '');

/** Without a pointer: a kind, its fields, a section, and the button. */
async function byKeyboard({ world, page }: Given): Promise<void> {
  await newJob(page);
  const { keyboard } = page;
  await page.getByLabel('Id made by the API').focus();
  await keyboard.type('form-by-keys');
  for (let stops = 0; stops < 12; stops += 1) {
    await keyboard.press('Tab');
    if ((await focused(page)).startsWith('URL')) break;
  }
  expect(await focused(page)).toMatch(/^URL/);
  await keyboard.type(world.at('/200/1').url);
  await page.locator('summary', { hasText: 'Keys' }).focus();
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.type('customer/7');
  await keyboard.press('Enter');
  await page.waitForURL('**/console/jobs/form-by-keys');
  expect((await world.api('GET', '/v1/jobs/form-by-keys')).body.orderingKey).toBe('customer/7');
}

/** The forms of jobs: every target, every schedule, and their JSON. */
export function formTests(given: () => Given): void {
  inChromium('each type of target is made by the form', () => eachTarget(given()));
  inChromium('each type of schedule is made by the form', () => eachSchedule(given()));
  inChromium('several targets are made by the form, each with its faults', () => severalTargets(given()));
  inChromium('a new job is saved paused and run once', () => testedOnce(given()));
  inChromium('what is half typed is kept, and holds the form back', () => halfTyped(given()));
  inChromium('the form of a job is used by the keyboard alone', () => byKeyboard(given()));
  inChromium('the form of a job fits, and breaks no rule of WCAG, with all of its sections open', () =>
    fits(given()),
  );
}
