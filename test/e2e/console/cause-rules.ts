import type { Page } from 'playwright-core';

import { follow, settled, type Watched } from '../../support/console/browser';
import { seedMany } from '../../support/console/seed';
import type { ConsoleWorld } from '../../support/console/world';
import { eventually } from '../../support/eventually';

/** Each call has a cause of its own: a status that no other one is answered with. */
let lastStatus = 430;

async function put({ api, at }: ConsoleWorld, jobId: string, path: string): Promise<void> {
  const job = { schedule: { type: 'none' }, target: at(path) };
  expect((await api('PUT', `/v1/jobs/${jobId}`, job)).status).toBeLessThan(300);
}

/** Runs a job, and returns its execution once it has ended so. */
async function ended({ api }: ConsoleWorld, jobId: string, status: string) {
  const { body: run } = await api('POST', `/v1/jobs/${jobId}/run`, {});
  const path = `/v1/jobs/${jobId}/executions/${run.execId}`;
  const { body } = await eventually(
    () => api('GET', path),
    (answer) => answer.body.status === status,
  );
  return body as { execId: string; fingerprint: string };
}

const pathOf = (cause: string): string => `/failures/cause?cause=${encodeURIComponent(cause)}`;

/** A job that is changed between its last success and its first failure. */
export async function causeSaysWhatChanged(world: ConsoleWorld, page: Page): Promise<void> {
  const status = ++lastStatus;
  const jobId = `changed-${status}`;
  await put(world, jobId, '/200/1');
  const good = await ended(world, jobId, 'succeeded');
  await world.api('PATCH', `/v1/jobs/${jobId}`, { target: world.at(`/${status}/1`) });
  const bad = await ended(world, jobId, 'failed');
  await ended(world, jobId, 'failed');
  await follow(page, pathOf(bad.fingerprint));
  const began = page.locator('[data-part=cause-began]');
  await began.getByText('Last good before').waitFor();
  const links = await began.locator('dd a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
  expect(links).toEqual([
    `/console/jobs/${jobId}/executions/${bad.execId}`,
    `/console/jobs/${jobId}/executions/${good.execId}`,
    `/console/jobs/${jobId}/changes`,
  ]);
  expect(await began.locator('.changes > li').count()).toBe(1);
  expect(await began.locator('.changes summary').allTextContents()).toEqual(['target']);
}

/** A cause that one user acknowledges, and that one more job joins. */
export async function ackIsShared(world: ConsoleWorld, page: Page): Promise<void> {
  const status = ++lastStatus;
  const cause = async (jobId: string) => {
    await put(world, jobId, `/${status}/1`);
    return (await ended(world, jobId, 'failed')).fingerprint;
  };
  const fingerprint = await cause(`known-${status}`);
  await follow(page, pathOf(fingerprint));
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  const dialog = page.locator('[data-part=ack-dialog]');
  await dialog.getByLabel('Why?').fill(`known ${status}`);
  await dialog.getByRole('button', { name: 'Acknowledge' }).click();
  const acks = await eventually(
    () => world.api('GET', '/v1/failures/acks?limit=100'),
    ({ body }) => body.items.some((one: { fingerprint: string }) => one.fingerprint === fingerprint),
  );
  expect(acks.body.items).toContainEqual(expect.objectContaining({ note: `known ${status}`, jobs: 1 }));
  const shown = async (show: string): Promise<number> => {
    await follow(page, `/failures?show=${show}`);
    await page.locator('[data-part=failures]').waitFor();
    await settled(page);
    return page.locator('[data-part=group] h2', { hasText: String(status) }).count();
  };
  expect([await shown('open'), await shown('known')]).toEqual([0, 1]);
  await cause(`joins-${status}`);
  await page.reload();
  expect([await shown('open'), await shown('known')]).toEqual([1, 0]);
}

/** A bulk of two pages, whose page is loaded anew before the second. */
export async function bulkGoesOn(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  await seedMany(world);
  await follow(page, '/jobs?tag=team:many');
  await page.getByLabel('Choose all shown').check();
  const bar = page.locator('[data-part=bulk]');
  await bar.getByRole('button', { name: 'Choose all that match' }).click();
  await bar.getByText('all 110 chosen').waitFor();
  const cursors: (string | undefined)[] = [];
  const keys = new Set<string>();
  let isUnanswered = true;
  await page.route('**/v1/bulk', async (route) => {
    const body = route.request().postDataJSON() as { cursor?: string; dryRun?: boolean };
    if (body.dryRun) return route.fallback();
    cursors.push(body.cursor);
    keys.add(route.request().headers()['idempotency-key']!);
    if (body.cursor === undefined || !isUnanswered) return route.fallback();
    return undefined; // the page is left before there is an answer
  });
  await bar.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Pause 110' }).click();
  await eventually(
    () => cursors.length,
    (count) => count === 2,
  );
  isUnanswered = false;
  await page.reload();
  await page.locator('h1').first().waitFor();
  await settled(page);
  const question = page.locator('[data-part=bulk-go-on]');
  await eventually(
    async () => (await question.count()) > 0 || (await page.locator('.jobs tbody tr').count()) > 0,
    (isThere) => isThere,
  );
  expect(await page.evaluate('location.search')).toContain('bulk=');
  await question.getByText('100 of 110 were done').waitFor();
  await question.getByRole('button', { name: 'Go on' }).click();
  const progress = page.locator('[data-part=bulk-progress]');
  await progress.getByRole('button', { name: 'Close' }).waitFor();
  expect(await progress.getByRole('status').textContent()).toBe('110 of 110 done');
  expect([cursors.length, cursors[2] === cursors[1], keys.size]).toEqual([3, true, 1]);
  expect(await page.evaluate('location.search')).not.toContain('bulk=');
  await progress.getByRole('button', { name: 'Close' }).click();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  watched.faults.length = 0; // the request that the reload has ended
}

/** Three executions of one cause, of which one runs first. */
export async function oneRunsFirst(world: ConsoleWorld, page: Page): Promise<void> {
  const status = ++lastStatus;
  const execIds: string[] = [];
  let cause = '';
  const jobId = `canary-${status}`;
  await put(world, jobId, `/${status}/1`);
  for (let count = 0; count < 3; count++) {
    const { execId, fingerprint } = await ended(world, jobId, 'failed');
    execIds.push(execId);
    cause = fingerprint;
  }
  await world.api('PATCH', `/v1/jobs/${jobId}`, { target: world.at('/200/1') });
  await follow(page, pathOf(cause));
  await page.getByRole('button', { name: 'Retry 3…' }).click();
  const ask = page.locator('[data-part=retry-confirm]');
  await ask.getByLabel('One first').check();
  await ask.getByLabel('5 a second').check();
  await ask.getByRole('button', { name: 'Retry one' }).click();
  const statuses = async () =>
    Promise.all(
      execIds.map(async (execId) => {
        const { body } = await world.api('GET', `/v1/jobs/${jobId}/executions/${execId}`);
        return body.status as string;
      }),
    );
  const present = await eventually(statuses, ([first]) => first === 'succeeded');
  expect(present).toEqual(['succeeded', 'failed', 'failed']);
  await page.locator('[data-part=one-first]').getByRole('button', { name: 'Retry the others' }).click();
  await page.locator('[data-part=bulk-progress]', { hasText: '2 of 2 done' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await eventually(statuses, (all) => all.every((one) => one === 'succeeded'));
}
