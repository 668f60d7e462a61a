import type { BrowserContext, Page, Request } from 'playwright-core';

import { follow, inChromium, jumpClock, open, settled } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';

/** Answers the first requests of a kind with a problem, and lets the others through. Returns the requests. */
async function refuse(
  context: BrowserContext,
  { path, method, status, times }: { path: string; method: string; status: number; times: number },
): Promise<Request[]> {
  const seen: Request[] = [];
  await context.route(path, async (route) => {
    const request = route.request();
    if (request.method() !== method) return route.fallback();
    seen.push(request);
    if (seen.length > times) return route.fallback();
    return route.fulfill({
      status,
      contentType: 'application/problem+json',
      headers: { 'retry-after': '0' },
      json: { type: 'urn:test', title: 'Refused', status, detail: `refused with ${status}` },
    });
  });
  return seen;
}

async function newJob(world: ConsoleWorld, jobId: string) {
  const made = await world.newPage();
  await enter(made.page, world.system, { path: '/jobs/~new' });
  await made.page.getByLabel('Id made by the API').fill(jobId);
  await made.page.getByLabel('URL').fill(world.at('/200/1').url);
  return made;
}

const wrong = (page: Page) => page.locator('[data-part=new-job]').getByRole('alert').first();

/** The token is refused in the middle of a form: another one is asked for, and the form is sent again. */
async function refusedToken(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await enter(page, world.system, { path: '/jobs/batch-3/definition' });
  const renewed = page.waitForRequest('**/_local/token');
  const sent = await refuse(context, { path: '**/v1/jobs/batch-3', method: 'PUT', status: 401, times: 1 });
  await page.getByLabel('Name', { exact: true }).fill('After a 401');
  await page.getByRole('button', { name: 'Save' }).click();
  await renewed;
  await page.getByText('The definition is saved.').waitFor();
  expect(sent).toHaveLength(2);
  expect((await world.api('GET', '/v1/jobs/batch-3')).body.name).toBe('After a 401');
  await context.close();
}

/** 409: the id is taken. 429: the client asks three times. What was typed stays. */
async function refusedCreate(world: ConsoleWorld): Promise<void> {
  const { page, context } = await newJob(world, 'invoice-42');
  await page.getByRole('button', { name: 'Create' }).click();
  await wrong(page).waitFor();
  expect(await wrong(page).textContent()).toContain('invoice-42');
  expect(await page.getByLabel('URL').inputValue()).toBe(world.at('/200/1').url);
  const sent = await refuse(context, { path: '**/v1/jobs', method: 'POST', status: 429, times: 3 });
  await page.getByLabel('Id made by the API').fill('over-quota');
  await page.getByRole('button', { name: 'Create' }).click();
  await wrong(page).getByText('refused with 429').waitFor();
  expect(sent).toHaveLength(3);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/console/jobs/over-quota');
  await context.close();
}

/** 503 on a create: each try has the same key, also that of a second press of the button. */
async function repeatedCreate(world: ConsoleWorld): Promise<void> {
  const { page, context } = await newJob(world, 'after-503');
  const sent = await refuse(context, { path: '**/v1/jobs', method: 'POST', status: 503, times: 4 });
  await page.getByRole('button', { name: 'Create' }).click();
  await wrong(page).waitFor();
  expect(sent).toHaveLength(3);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/console/jobs/after-503');
  expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
  expect(sent).toHaveLength(5);
  await context.close();
}

/** A newer version is deployed: the page says so, and finds a file again that is gone. */
async function newerVersion(world: ConsoleWorld): Promise<void> {
  const { page, context, watched } = await world.newPage();
  await enter(page, world.system, { path: '/jobs' });
  await page.clock.install();
  await open(page, world.system.url, '/jobs');
  await page.route('**/v1/me', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), version: 'newer' } });
  });
  await jumpClock(page, watched, 400_000);
  const bar = page.locator('[data-part=outdated]');
  await bar.waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await bar.getByRole('button', { name: 'Reload' }).click();
  await bar.waitFor({ state: 'detached' });
  await settled(page);
  await page.route('**/assets/failures-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await follow(page, '/jobs');
  await page.getByRole('link', { name: 'Failures' }).first().click();
  await page.getByRole('heading', { name: 'Failures', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/failures');
  await context.close();
}

/** Which queue is chosen follows from what is at work: a page without that answer is not whole. */
async function lateAnswer(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await enter(page, world.system, { path: '/settings' });
  const atWork = /\/v1\/executions\?.*kind=worker/;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(atWork, async (route) => {
    await held;
    await route.fallback();
  });
  const whole = follow(page, '/queues');
  await page.locator('[data-part=work-queues] tbody tr').first().waitFor();
  expect(await page.getByRole('main').locator('[aria-busy=true]').count()).toBe(1);
  answer();
  await whole;
  expect(await page.locator('[data-part=queue-at-work]').count()).toBe(1);
  await page.route(atWork, (route) =>
    route.fulfill({ status: 403, json: { status: 403, title: 'Refused' } }),
  );
  await open(page, world.system.url, '/queues');
  expect(await page.locator('[data-part=queue-at-work]').getByRole('alert').count()).toBe(1);
  await context.close();
}

/** What pages do when the API refuses, and when the deployment changes under them. */
export function answerTests(given: () => ConsoleWorld): void {
  inChromium('a token that is refused in the middle of a form is renewed, and the form is sent', () =>
    refusedToken(given()),
  );
  inChromium('an id that is taken and a quota say so, and what was typed stays', () =>
    refusedCreate(given()),
  );
  inChromium('a create is repeated under the same key', () => repeatedCreate(given()));
  inChromium('the page of queues is busy until its last answer, and shows a refusal of it', () =>
    lateAnswer(given()),
  );
  inChromium('a newer version offers a reload, and a page whose file is gone starts anew', () =>
    newerVersion(given()),
  );
}
