import type { Locator, Page } from 'playwright-core';

import { apiCaller } from '../../support/api-caller';
import { follow, inChromium, open, overflow } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';
import { actionFindingTests } from './action-findings';
import { firstVisitTests } from './first-visit';

interface Given {
  world: ConsoleWorld;
  page: Page;
  /** An execution of `blocks`, which has failed. */
  failed: string;
  /** A run of `nightly`. */
  run: string;
}

/** What a target says of a failure has the wide column. A retry that does not cure it is no first choice. */
async function longResponses({ page, failed }: Given): Promise<void> {
  await follow(page, `/jobs/blocks/executions/${failed}`);
  const response = page.locator('[data-part=response]');
  await response.waitFor();
  const beside = page.locator('[data-part=request]');
  const [box, request] = await Promise.all([response.boundingBox(), beside.boundingBox()]);
  expect(box!.width).toBeGreaterThan(1.3 * request!.width);
  expect(box!.x).toBeLessThan(request!.x);
  const retry = page.getByRole('button', { name: 'Retry', exact: true });
  expect(await retry.getAttribute('class')).toBe('btn');
}

/** What a worker gets is on the page, as what a URL gets is. */
async function payloadOfWorkers({ world, page }: Given): Promise<void> {
  const execId = await executionWith(world, 'load-orders', 'succeeded');
  await follow(page, `/jobs/load-orders/executions/${execId}`);
  await page.locator('[data-part=request]').waitFor();
  expect(await page.locator('[data-part=request] pre').textContent()).toContain('"table": "orders"');
}

/** The audit and a long concurrency key fit on a telephone. */
async function onATelephone({ world, page }: Given): Promise<void> {
  await world.api('PUT', '/v1/concurrency-keys/telephone', { limit: 1 });
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, world.system.url, '/settings/audit');
  const cell = page.locator('[data-part=audit] td.prose').first();
  await cell.waitFor();
  expect((await cell.boundingBox())!.width).toBeGreaterThan(180);
  const key = 'k'.repeat(64);
  await world.api('PUT', `/v1/concurrency-keys/${key}`, { limit: 1 });
  await open(page, world.system.url, '/concurrency-keys');
  await page.getByText(key).waitFor();
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1_280, height: 720 });
}

/** The trace of a run is on its page, as that of any execution is. */
async function traceOfARun({ world, page, run }: Given): Promise<void> {
  const { body } = await world.api('GET', `/v1/jobs/nightly/executions/${run}`);
  expect(body.trace.traceId).toMatch(/^[0-9a-f]{32}$/);
  await follow(page, `/jobs/nightly/executions/${run}`);
  await page.locator('[data-part=gantt]').waitFor();
  expect(await page.getByRole('main').textContent()).toContain(body.trace.traceId);
}

/** A run of 500 tasks: those that failed are found, few rows are drawn, and the address has the filter. */
async function tasksAreFound({ world, page, run }: Given): Promise<void> {
  await page.route('**/executions/*/tasks?*', async (route) => {
    const response = await route.fetch();
    const { items } = (await response.json()) as { items: object[] };
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...items[0],
      taskId: `task-${index}`,
      name: null,
      status: index % 100 === 7 ? 'failed' : 'succeeded',
      dependsOn: index < 10 ? [] : [`task-${index - 10}`],
    }));
    await route.fulfill({ response, json: { items: many, nextCursor: null } });
  });
  await open(page, world.system.url, `/jobs/nightly/executions/${run}`);
  const rows = page.locator('[data-part=gantt] tbody tr:not(.undrawn)');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(60);
  await zoomOfTheGraph(page);
  const filter = page.locator('[data-part=task-filter]');
  await filter.getByLabel('Show').selectOption('failed');
  await filter.getByText('5 tasks shown').waitFor();
  expect(await rows.locator('button').allTextContents()).toEqual(
    [7, 107, 207, 307, 407].map((index) => `task-${index}`),
  );
  await filter.getByLabel('Task has the text').fill('-30');
  await filter.getByText('1 task shown').waitFor();
  expect(new URL(page.url()).search).toBe('?only=failed&tasks=-30');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** A large graph begins at its first failure, in full size; it is made smaller, and to fit. */
async function zoomOfTheGraph(page: Page): Promise<void> {
  const graph = page.getByRole('region', { name: 'Graph of the tasks' });
  const first = graph.locator('.box.s-failed').first();
  const shows = (inner: Locator) =>
    eventually(
      () => Promise.all([graph.boundingBox(), inner.boundingBox()]),
      ([outer, box]) => isWithin(box!, outer!),
    );
  const [, box] = await shows(first);
  const full = box!.width;
  const widthAt = async (size: string, factor: (width: number) => boolean) => {
    await page.getByRole('button', { name: size, exact: true }).click();
    await eventually(async () => (await first.boundingBox())!.width / full, factor);
  };
  await widthAt('Half size', (factor) => Math.abs(factor - 0.5) < 0.05);
  await shows(first);
  await widthAt('Fit', (factor) => factor < 0.5);
  await shows(graph.locator('> svg'));
  await widthAt('Full size', (factor) => factor === 1);
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** A pixel of tolerance: places are fractions. */
const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

/** The list of workflows shows the whole next time, and the last run, in a window of 1,024 pixels too. */
async function timesOfWorkflows({ world, page }: Given): Promise<void> {
  const schedule = { type: 'cron', expression: '0 3 1 1 *', timezone: 'Europe/Berlin' };
  const workflow = { tasks: { one: { target: world.at('/200/1') } } };
  const name = 'A workflow whose name is longer than its column is wide';
  await world.api('PUT', '/v1/jobs/yearly-flow', { name, schedule, workflow });
  for (const width of [1_440, 1_024]) {
    await page.setViewportSize({ width, height: 800 });
    await follow(page, '/workflows');
    const time = page.locator('.workflows tbody tr', { hasText: 'yearly-flow' }).locator('td:nth-child(4)');
    await time.getByText('03:00').waitFor();
    expect(await time.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBeLessThanOrEqual(0);
    const last = await page.getByRole('columnheader', { name: 'Last', exact: true }).boundingBox();
    expect(last!.x + last!.width).toBeLessThanOrEqual(width);
  }
  await page.setViewportSize({ width: 1_280, height: 720 });
  await world.api('DELETE', '/v1/jobs/yearly-flow');
}

/** Which worker has what is known, also if it has asked for nothing since. */
async function workOfWorkers({ world, page }: Given): Promise<void> {
  await follow(page, '/queues');
  const work = page.locator('[data-part=queue-at-work] li', { hasText: 'load-orders' });
  await work.waitFor();
  expect(await work.textContent()).toContain('by host-1/4711');
  const worker = page.locator('[data-part=workers] li', { hasText: 'host-1/4711' });
  await worker.getByText('runs 1').waitFor();
  await world.api('PUT', '/v1/jobs/spare-load', {
    schedule: { type: 'none' },
    target: { type: 'worker', queue: 'spare' },
  });
  const asker = apiCaller(world.system.url, await world.system.token('alice', 'work'));
  await asker('POST', '/v1/work/claim', { queue: 'spare', worker: 'host-1/4711' });
  await follow(page, '/jobs');
  await follow(page, '/queues');
  const ofAll = page.locator('[data-part=all-workers] li', { hasText: 'host-1/4711' });
  await ofAll.getByText('spare').waitFor();
  expect(await ofAll.textContent()).toMatch(/warehouse.*runs 1 since .*asks for work/);
  // The form of a job needs the names alone, so it has no workers read.
  const asked = page.waitForRequest(/\/v1\/work\/queues\?/);
  await open(page, world.system.url, '/jobs/load-orders/definition');
  expect(new URL((await asked).url()).searchParams.get('workers')).toBe('false');
}

/** Trends of a job are those of the API, beside the time before. */
async function trends({ world, page }: Given): Promise<void> {
  await open(page, world.system.url, '/jobs/invoice-42');
  const card = page.locator('[data-part=trends]');
  const row = (name: string) => card.locator('tr', { hasText: name }).locator('td').allTextContents();
  await card.getByRole('row', { name: 'Ended' }).waitFor();
  const [ended, before] = await row('Ended');
  const { body } = await world.api('GET', '/v1/stats?by=day&job=invoice-42');
  expect(body.total).not.toBeNull();
  expect([ended, before]).toEqual([String(body.total.counts.succeeded), '0']);
  expect((await row('Success'))[0]).toBe('100.0 %');
  await card.getByRole('button', { name: '24 h' }).click();
  await card.getByRole('columnheader', { name: 'Last 24 h' }).waitFor();
}

/** A link in a new tab needs no second sign-in, and a sign-out is one of all tabs. */
async function newTab({ world }: Given): Promise<void> {
  const { page: first, context } = await world.newPage();
  await enter(first, world.system);
  const second = await context.newPage();
  await second.goto(`${world.system.url}/console/jobs`);
  await second.locator('.jobs tbody tr').first().waitFor();
  expect(new URL(second.url()).pathname).toBe('/console/jobs');
  await second.getByRole('button', { name: 'Sign out' }).click();
  await first.locator('[data-part=signed-out]').waitFor();
  await context.close();
}

/** A pause and a delete are taken back. */
async function undo({ world, page }: Given): Promise<void> {
  const job = { schedule: { type: 'interval', every: '1d' }, target: world.at('/200/1'), name: 'Taken back' };
  await world.api('PUT', '/v1/jobs/taken-back', job);
  const status = async () => (await world.api('GET', '/v1/jobs/taken-back')).body.status as string;
  const takeBack = () =>
    page.locator('[data-part=toasts]').getByRole('button', { name: 'Undo' }).last().click();
  await follow(page, '/jobs/taken-back');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await page.locator('[data-part=pause-dialog]').getByRole('button', { name: 'Pause' }).click();
  await eventually(status, (one) => one === 'paused');
  await takeBack();
  await eventually(status, (one) => one === 'active');
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.locator('[data-part=delete-dialog]');
  await dialog.getByLabel('Type taken-back to confirm').fill('taken-back');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/console/jobs');
  await takeBack();
  await eventually(status, (one) => one === 'active');
  expect((await world.api('GET', '/v1/jobs/taken-back')).body.name).toBe('Taken back');
}

/** A pause has an end, which the page of the job and the list of jobs show. */
async function pauseWithAnEnd({ world, page }: Given): Promise<void> {
  const job = { schedule: { type: 'interval', every: '1d' }, target: world.at('/200/1') };
  await world.api('PUT', '/v1/jobs/paused-till', job);
  await follow(page, '/jobs/paused-till');
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  const dialog = page.locator('[data-part=pause-dialog]');
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Until').fill(`${day}T12:00`);
  await dialog.getByRole('button', { name: 'Pause' }).click();
  await page.locator('.facts-line').getByText('until').waitFor();
  const pausedUntil = async () =>
    (await world.api('GET', '/v1/jobs/paused-till')).body.pausedUntil as string | undefined;
  const first = (await pausedUntil())!;
  expect(first).toMatch(/:00:00\.000Z$/);
  expect(await page.locator('.facts-line time').getAttribute('datetime')).toBe(first);
  await anotherEnd({ world, page }, first);
  await follow(page, '/jobs?q=paused-till');
  await page.locator(`.jobs td small time[datetime="${first}"]`).waitFor();
  await page.getByLabel('Choose all shown').check();
  await page.locator('[data-part=bulk]').getByRole('button', { name: 'Pause' }).click();
  await page.locator('[data-part=bulk-confirm]').getByLabel('Until').fill(`${day}T13:00`);
  await page.getByRole('button', { name: 'Pause 1' }).click();
  const progress = page.locator('[data-part=bulk-progress]');
  await progress.getByRole('status').getByText('1 of 1 done').waitFor();
  expect(Date.parse((await pausedUntil())!) - Date.parse(first)).toBe(3_600_000);
  await progress.getByRole('button', { name: 'Close' }).click();
}

/** A pause gets another end, none, and by Undo its end again. The job stays paused, its changes say so. */
async function anotherEnd({ world, page }: Pick<Given, 'world' | 'page'>, end: string): Promise<void> {
  const job = async () => (await world.api('GET', '/v1/jobs/paused-till')).body;
  const field = page.locator('[data-part=pause-dialog]').getByLabel('Until');
  const save = async (local: (before: string) => string) => {
    await page.getByRole('button', { name: 'End of pause…' }).click();
    await field.fill(local(await field.inputValue()));
    await page.locator('[data-part=pause-dialog]').getByRole('button', { name: 'Save' }).click();
    await field.waitFor({ state: 'detached' });
  };
  await save((before) => before.replace('T12:00', 'T18:30'));
  expect(Date.parse((await job()).pausedUntil as string) - Date.parse(end)).toBe(6.5 * 3_600_000);
  await save((before) => before.replace('T18:30', 'T12:00'));
  await page.locator(`.facts-line time[datetime="${end}"]`).waitFor();
  await save(() => '');
  await page.locator('.facts-line').getByText('until').waitFor({ state: 'detached' });
  const { status, pausedUntil } = await job();
  expect([status, pausedUntil]).toEqual(['paused', undefined]);
  await page.locator('[data-part=toasts]').getByRole('button', { name: 'Undo' }).last().click();
  await page.locator(`.facts-line time[datetime="${end}"]`).waitFor();
}

/** What a review of the console in a browser has found, and must not come back. */
export function findingTests(given: () => Given): void {
  inChromium('a long response of a failure has the wide column', () => longResponses(given()));
  inChromium('the payload of a worker is on the page of its execution', () => payloadOfWorkers(given()));
  inChromium('the audit and a long concurrency key fit at 390 px', () => onATelephone(given()));
  inChromium('the page of a run has its trace', () => traceOfARun(given()));
  inChromium('the tasks of a large run are found', () => tasksAreFound(given()));
  inChromium('the list of workflows shows whole times', () => timesOfWorkflows(given()));
  inChromium('which worker has what stands on the page of queues', () => workOfWorkers(given()));
  inChromium('trends of a job are those of the API', () => trends(given()));
  inChromium('a new tab needs no second sign-in, and a sign-out is one of all tabs', () => newTab(given()));
  inChromium('a pause and a delete can be taken back', () => undo(given()));
  inChromium('a pause with an end shows it, and gets another one', () => pauseWithAnEnd(given()));
  actionFindingTests(given);
  firstVisitTests(() => given().world);
}
