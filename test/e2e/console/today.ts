import { inChromium, moveClock, open } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';

const STEPS = 120;
const STEP_MS = 1_000;
/** For each 15 seconds, as `docs/console.md` says. */
const MOST_REQUESTS = 3;

/** Two minutes of Today, a second at a time, so that each answer comes in the second of its request. */
async function fewRequests(world: ConsoleWorld): Promise<void> {
  const { page, context, watched } = await world.newPage();
  await enter(page, world.system, { path: '/jobs/invoice-42' });
  await page.clock.install();
  const stats = page.waitForRequest((request) => request.url().includes('/v1/stats?by=hour'));
  await open(page, world.system.url, '/');
  // The day of this clock may not have begun for the API: a window up to its own now would be none.
  const { searchParams } = new URL((await stats).url());
  const [from, to] = ['from', 'to'].map((name) => Date.parse(searchParams.get(name)!));
  expect(to! - from!).toBeGreaterThan(22 * 3_600_000);
  await moveClock(page, watched, STEP_MS);
  watched.calls.length = 0;
  for (let step = 0; step < STEPS; step++) await moveClock(page, watched, STEP_MS);
  const asked = new Map<string, number>();
  for (const call of watched.calls) asked.set(call, (asked.get(call) ?? 0) + 1);
  expect([...asked.keys()]).toEqual(expect.arrayContaining(['GET /v1/failures', 'GET /v1/stats']));
  expect([...asked.keys()]).not.toContain('GET /v1/admin/status'); // for operators alone
  const most = (MOST_REQUESTS * STEPS * STEP_MS) / 15_000;
  expect(watched.calls.length > most ? [...asked] : []).toEqual([]);
  expect(watched.faults).toEqual([]);
  await context.close();
}

/** A shard that is behind stands on Today, and leads to its deployment. */
async function shardsBehind(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await page.route('**/v1/admin/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { scan: { shards: object[] } };
    const [first, second, ...rest] = status.scan.shards;
    const shards = [{ ...first, lagSec: 75 }, { ...second, lagSec: 61 }, ...rest];
    await route.fulfill({ response, json: { ...status, scan: { ...status.scan, shards } } });
  });
  await enter(page, world.system, { scopes: ['admin'] });
  const alert = page.locator('[data-part=needs-you] article', { hasText: '2 shards behind' });
  await alert.getByText('What they plan is late by up to 75 s.').waitFor();
  await alert.getByRole('link', { name: 'Open' }).click();
  await page.waitForURL('**/console/deployment');
  await page.locator('.shards .bad').nth(1).waitFor();
  expect(await page.locator('.shards .bad strong').allTextContents()).toEqual(['75 s', '61 s']);
  await page.unrouteAll({ behavior: 'ignoreErrors' }); // the page may ask again just now
  await context.close();
}

/** From the deployment to its dashboard, in another window. */
async function dashboard(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await enter(page, world.system, { scopes: ['admin'], path: '/deployment' });
  const link = page.locator('[data-part=state] [data-part=dashboard]');
  expect(await link.getAttribute('rel')).toBe('noopener');
  const loaded = context.waitForEvent('response', (one) => one.url().endsWith('/_local/dashboard'));
  const opening = page.waitForEvent('popup');
  await link.click();
  expect((await loaded).status()).toBe(200);
  const opened = await opening;
  expect(opened.url()).toBe(`${world.system.url}/_local/dashboard`);
  await opened.locator('#state[data-live=true]').waitFor();
  await context.close();
}

/** Today, beside what it shows of runs. */
export function todayTests(given: () => ConsoleWorld): void {
  inChromium('Today asks for at most three things each 15 seconds', () => fewRequests(given()));
  inChromium('the deployment leads operators to its dashboard', () => dashboard(given()));
  inChromium('shards behind stand on Today for operators', () => shardsBehind(given()));
}
