import type { Page } from 'playwright-core';

import { hasChromium, inChromium, open, settled, signIn } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import { endedBackfill, seed } from '../../support/console/seed';
import { type ConsoleWorld, consoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';
import { answerTests } from './answers';
import { backfillTests } from './backfills';
import { everyPageTests } from './every-page';
import { findingTests } from './findings';
import { focusTests } from './focus';
import { formTests } from './forms';
import { jobTests } from './job-pages';
import { keyboardTests } from './keyboard';
import { layoutShiftTests } from './layout-shift';
import { patchTests } from './patches/patches';
import { ruleTests } from './rules';
import { setUpTests } from './set-up';
import { todayTests } from './today';
import { updateTests } from './updates';
import { workflowEditorTests } from './workflow-editor';
import { workflowTests } from './workflows';

let world: ConsoleWorld;
let page: Page;
let failed: string;
let cause: string;
let run: string;
let worked: string;
let release: string;
let backfill: string;
const at = (path: string) => open(page, world.system.url, path);

beforeAll(async () => {
  if (!hasChromium) return;
  world = await consoleWorld();
  await seed(world);
  failed = await executionWith(world, 'blocks', 'failed');
  cause = (await world.api('GET', `/v1/jobs/blocks/executions/${failed}`)).body.fingerprint;
  run = await executionWith(world, 'nightly', 'failed');
  worked = await executionWith(world, 'load-orders', 'succeeded');
  release = await executionWith(world, 'release', 'running');
  backfill = await endedBackfill(world);
  ({ page } = await world.newPage());
  await signIn(page, world.system, { scopes: ['admin'] });
}, 600_000);
afterAll(() => world?.end());

everyPageTests(() => ({ world, ids: { failed, cause, run, worked, release, backfill } }));

inChromium('a link that is opened signed out comes back after the sign-in', async () => {
  const { page: other, context } = await world.newPage();
  const path = `/jobs/blocks/executions/${failed}?tz=Asia%2FTokyo`;
  await signIn(other, world.system, { path });
  expect(new URL(other.url()).pathname + new URL(other.url()).search).toBe(`/console${path}`);
  expect(await other.locator('[data-part=zone]').inputValue()).toBe('Asia/Tokyo');
  expect(await other.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('eyJ');
  await other.reload();
  await settled(other);
  expect(await other.locator('h1').textContent()).toContain('Due');
  await context.close();
});

inChromium('a job is created in the form, runs, and its execution is cancelled', async () => {
  await at('/jobs/~new');
  await page.getByLabel('Id made by the API').fill('made-here');
  await page.getByLabel('Name', { exact: true }).fill('Made here');
  await page.getByLabel('URL').fill(world.at('/200/60000').url);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL('**/console/jobs/made-here');
  await settled(page);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.locator('[data-part=run-dialog]').getByRole('button', { name: 'Run now' }).click();
  await page.waitForURL('**/console/jobs/made-here/executions/*');
  await page.locator('h1 .s-running').waitFor();
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the execution' }).click();
  await page.locator('h1 .s-cancelled').waitFor();
  const { body } = await world.api('GET', '/v1/jobs/made-here/executions?status=cancelled');
  expect(body.items[0]).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled-by-user',
    trigger: 'manual',
  });
});

inChromium('a run gets its payload by the fields of the schema, and its text is no HTML', async () => {
  const title = '<img src=x onerror=alert(1)>';
  const count = { type: 'integer', minimum: 1, description: 'How many', pattern: '^x*x*y$' };
  await world.api('PUT', '/v1/jobs/by-schema', {
    schedule: { type: 'none' },
    target: world.at('/200/1'),
    payloadSchema: { type: 'object', properties: { orderId: { type: 'string', title }, count } },
  });
  await at('/jobs/by-schema');
  await page.getByRole('button', { name: 'Run now' }).click();
  const dialog = page.locator('[data-part=run-dialog]');
  await dialog.getByLabel(title).fill('42');
  await dialog.getByLabel('count').fill('0');
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('payload.count').waitFor();
  expect(await dialog.locator('img, [pattern]').count()).toBe(0);
  await dialog.getByLabel('count').fill('2');
  await dialog.getByRole('button', { name: 'Run now' }).click();
  await page.waitForURL('**/console/jobs/by-schema/executions/*');
  const execId = await executionWith(world, 'by-schema', 'succeeded');
  expect(page.url()).toContain(execId);
});

inChromium('a group of failures is retried as a whole', async () => {
  const first = new Map<string, string>();
  for (const jobId of ['fails-1', 'fails-2', 'fails-3']) {
    first.set(jobId, await executionWith(world, jobId, 'failed'));
    await world.api('PATCH', `/v1/jobs/${jobId}`, { target: world.at('/200/1') });
  }
  await at('/failures');
  const group = page.locator('[data-part=group]', { hasText: '503' });
  await group.getByRole('button', { name: 'Retry 3…' }).click();
  const confirm = page.locator('[data-part=retry-confirm]');
  await confirm.getByText('They are of 3 jobs').waitFor();
  for (const [jobId, execId] of first) {
    const { body } = await world.api('GET', `/v1/jobs/${jobId}/executions/${execId}`);
    expect(body.status).toBe('failed'); // nothing starts before it is confirmed
  }
  await confirm.getByRole('button', { name: 'Retry 3' }).click();
  await page.locator('[data-part=bulk-progress]', { hasText: '3 of 3 done' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  for (const [jobId, execId] of first) expect(await executionWith(world, jobId, 'succeeded')).toBe(execId);
});

inChromium('five jobs of a tag are paused, and a filter survives Back', async () => {
  await at('/jobs');
  await page.getByLabel('Tag', { exact: true }).fill('team:data');
  await page.getByLabel('Tag', { exact: true }).press('Enter');
  await page.locator('.jobs tbody tr').nth(4).waitFor();
  await eventually(
    () => page.locator('.jobs tbody tr').count(),
    (rows) => rows === 5,
  );
  await page.getByLabel('Choose all shown').check();
  await page.locator('[data-part=bulk]').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Pause 5' }).click();
  await page.locator('[data-part=bulk-progress]', { hasText: '5 of 5 done' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.locator('.jobs .s-paused').nth(4).waitFor();
  await page.getByRole('link', { name: 'batch-0' }).click();
  await page.waitForURL('**/jobs/batch-0');
  await page.goBack();
  await page.locator('.jobs tbody tr').first().waitFor();
  expect(new URL(page.url()).search).toBe('?tag=team%3Adata');
});

inChromium('chosen jobs get a tag, and keep their others', async () => {
  await at('/jobs?tag=team:data');
  await page.locator('.jobs tbody tr').nth(4).waitFor();
  await page.getByLabel('Choose all shown').check();
  await page.locator('[data-part=bulk]').getByRole('button', { name: 'Tag…' }).click();
  await page.locator('[data-part=bulk-confirm]').getByLabel('Tag').fill('window:night');
  await page.getByRole('button', { name: 'Tag 5' }).click();
  await page.locator('[data-part=bulk-progress]', { hasText: '5 of 5 done' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  const { body } = await world.api('GET', '/v1/jobs/batch-0');
  expect(body.tags).toEqual({ team: 'data', window: 'night' });
});

inChromium('an edit that meets another change shows both, and saves on top', async () => {
  await at('/jobs/invoice-42/definition');
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await world.api('PATCH', '/v1/jobs/invoice-42', { priority: 'high' });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.locator('[data-part=conflict]');
  await conflict.getByRole('rowheader', { name: 'priority' }).waitFor();
  await conflict.getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The definition is saved.').waitFor();
  const { body } = await world.api('GET', '/v1/jobs/invoice-42');
  expect([body.name, body.priority, body.payload]).toEqual(['Mine', 'high', { invoice: 42 }]);
});

inChromium('the preview of a change of clocks is that of the API', async () => {
  await at('/jobs/invoice-42/schedule');
  await page.locator('[data-part=preview] input[type=date]').fill('2027-03-27');
  await page.locator('.clock-note').first().waitFor();
  const schedule = { type: 'cron', expression: '30 2,9 * * MON-FRI,SUN', timezone: 'Europe/Berlin' };
  const from = '2027-03-26T23:00:00Z';
  const { body } = await world.api('POST', '/v1/schedules/preview', { schedule, from, count: 10 });
  const notes = body.times.flatMap(({ note }: { note?: string }) => note ?? []);
  expect(await page.locator('.clock-note').allTextContents()).toEqual(notes);
  expect(notes[0]).toContain('02:30 does not exist');
});

inChromium('why a paused job will not run, and that it did run, with the sentence of the API', async () => {
  await world.api('POST', '/v1/jobs/batch-0/pause');
  const { body: upcoming } = await world.api('GET', '/v1/jobs/batch-1/upcoming?count=1');
  const { body: failures } = await world.api('GET', '/v1/jobs/blocks/executions?status=failed');
  const cases = [
    ['batch-0', '2027-03-01T01:30:00.000Z'],
    ['blocks', failures.items[0].dueAt],
  ];
  expect(upcoming.times).toEqual([]); // paused by its tag
  for (const [jobId, due] of cases) {
    const { body } = await world.api('GET', `/v1/jobs/${jobId}/explain?at=${due}`);
    await at(`/jobs/${jobId}/why?at=${due}`);
    expect(await page.locator('[data-part=verdict]').textContent()).toBe(body.verdict + body.sentence);
    expect(await page.locator('.proof li').count()).toBe(body.steps.length);
  }
});

inChromium('a blocked key goes on', async () => {
  await at('/ordering-keys?key=customer/42');
  await page.getByRole('button', { name: 'Unblock' }).click();
  await page.getByText('The key is free.').waitFor();
  const { body } = await world.api('GET', '/v1/ordering-keys?orderingKey=customer%2F42');
  expect(body).toMatchObject({ blocked: false, holder: null });
});

inChromium('a reader has no buttons that change anything', async () => {
  const { page: reader, context } = await world.newPage();
  const without = ['jobs:write', 'runs:operate', 'runs:approve', 'work', 'project:admin'];
  await signIn(reader, world.system, { path: '/jobs/invoice-42', without });
  await reader.locator('[data-part=read-only]').waitFor();
  const names = await reader.getByRole('main').getByRole('button').allTextContents();
  expect(names.filter((name) => /run|pause|delete|retry|save/i.test(name))).toEqual([]);
  await context.close();
});

inChromium('an approver is told so, and can do nothing else', async () => {
  const { page: approver, context } = await world.newPage();
  const without = ['jobs:write', 'runs:operate', 'work', 'project:admin'];
  const path = `/jobs/release/executions/${release}?task=approve`;
  await enter(approver, world.system, { path, without });
  const banner = approver.locator('[data-part=read-only]');
  await banner.getByText('You can read here, and approve or reject tasks.').waitFor();
  const actions = approver.locator('[data-part=task-actions]').getByRole('button');
  await actions.first().waitFor();
  expect(await actions.allTextContents()).toEqual(['Approve…', 'Reject…']);
  await context.close();
});

jobTests(() => ({ world, page }));
todayTests(() => world);
layoutShiftTests(() => ({ world, run }));
updateTests(() => ({ world, failed }));
answerTests(() => world);
keyboardTests(() => world);
focusTests(() => ({ world, release }));
workflowTests(() => ({ world, page }));
workflowEditorTests(() => ({ world, page }));
backfillTests(() => ({ world, page }));
setUpTests(() => ({ world, page }));
formTests(() => ({ world, page }));
findingTests(() => ({ world, page, failed, run }));

inChromium('the keyboard reaches find, pages and rows, and the focus follows', async () => {
  await at('/');
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.waitForURL('**/console/jobs');
  await settled(page);
  await page.locator('h1:focus').waitFor();
  await page.keyboard.press('j');
  await page.locator('tr.here').waitFor();
  await page.keyboard.press('/');
  await page.locator('[data-part=find-dialog] input').fill('invoice');
  await page.locator('.found button', { hasText: 'invoice-42' }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/jobs/invoice-42');
  await page.keyboard.press('?');
  await page.locator('[data-part=help-dialog]').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('[data-part=help-dialog]').waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/console/jobs/invoice-42');
});

describe('rule', () => {
  ruleTests(() => world);
});

describe('patch', () => {
  patchTests(() => world);
});

// Last: for some seconds after a start, functions still have the stop in their caches.
inChromium('an operator stops the deployment and starts it again', async () => {
  await at('/deployment');
  await page.getByRole('button', { name: 'Stop everything…' }).click();
  await page.getByLabel('Type local to confirm').fill('local');
  await page.locator('[data-part=stop-dialog]').getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('button', { name: 'Start…' }).click();
  await page.locator('[data-part=start-dialog]').getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Stop everything…' }).waitFor();
  await page.locator('[data-part=stops]').waitFor();
  expect(await page.locator('[data-part=stops] tbody tr').count()).toBe(1);
});
