import type { BrowserContext, Page } from 'playwright-core';

import {
  follow,
  hasChromium,
  inChromium,
  moveClock,
  open,
  settled,
  type Watched,
} from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import { seedMany } from '../../support/console/seed';
import { type ConsoleWorld, executionWith } from '../../support/console/world';
import { eventually } from '../../support/eventually';
import { ackIsShared, bulkGoesOn, causeSaysWhatChanged, oneRunsFirst } from './cause-rules';
import {
  boundsAreSaid,
  countsOfTheApi,
  listInTheAddress,
  listIsLive,
  oldRowsAreMarked,
} from './executions-rules';
import { urlsOfAMonitor } from './monitor-rules';
import { defaultsStayOut, formKeepsAll, refusalAtItsField } from './form-rules';
import { wordsForCodes } from './raw-codes';
import { textOutlivesReload, wrongAtItsLine } from './workflow-editor';

/** A rule that the console keeps, and its test. The test waits for nothing that only a kept rule shows. */
export interface Rule {
  name: string;
  /** `page`: on which alice is signed in. Its clock may be moved, and goes on by itself after that. */
  holds(world: ConsoleWorld, page: Page, watched: Watched): Promise<void>;
}

/** Two frames of a page whose clock stands still otherwise. */
const frames = (page: Page): Promise<void> => page.clock.runFor(200);

async function stateInTheAddress(_world: ConsoleWorld, page: Page): Promise<void> {
  await follow(page, '/jobs');
  await page.getByLabel('Id, name, tag or URL has').fill('fails');
  const rows = page.locator('.jobs tbody tr');
  await eventually(
    () => rows.count(),
    (count) => count === 3,
  );
  await page.reload();
  await settled(page);
  expect(await page.getByLabel('Id, name, tag or URL has').inputValue()).toBe('fails');
  expect(await rows.count()).toBe(3);
}

async function pollsMoveNothing(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  await page.setViewportSize({ width: 700, height: 320 });
  await page.clock.install();
  await open(page, world.system.url, '/jobs/invoice-42');
  const top = () => page.locator('.ledger tbody tr:not(:has(.s-scheduled)) a').first().getAttribute('href');
  const before = await top();
  await page.evaluate('scrollTo(0, 400)');
  await frames(page);
  const { body } = await world.api('POST', '/v1/jobs/invoice-42/run', {});
  await eventually(
    () => world.api('GET', `/v1/jobs/invoice-42/executions/${body.execId}`),
    (answer) => answer.body.status === 'succeeded',
  );
  await moveClock(page, watched, 40_000); // a poll
  const waiting = () => page.locator('.held').count();
  await eventually(
    async () => [await top(), await waiting()] as const,
    ([href, held]) => href !== before || held > 0,
  );
  expect(await top()).toBe(before);
  await page.setViewportSize({ width: 1_280, height: 720 });
}

async function reasonsInTheRow(_world: ConsoleWorld, page: Page): Promise<void> {
  await follow(page, '/jobs/blocks');
  const row = page.locator('.ledger tbody tr', { has: page.locator('.s-failed') }).first();
  await row.waitFor();
  expect(await row.innerText()).toContain('an error that a retry does not cure');
}

async function allThatMatch(world: ConsoleWorld, page: Page): Promise<void> {
  await seedMany(world);
  await follow(page, '/jobs?tag=team:many');
  await page.getByLabel('Choose all shown').check();
  const bar = page.locator('[data-part=bulk]');
  const shown = await bar.locator('strong').textContent();
  await bar.getByRole('button', { name: 'Choose all that match' }).click();
  await eventually(
    () => bar.locator('strong').textContent(),
    (text) => text !== shown,
  );
  expect(await bar.locator('strong').textContent()).toBe('all 110 chosen');
  await bar.getByRole('button', { name: 'Pause' }).click();
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await page.locator('[data-part=bulk-confirm]').getByLabel('Until').fill(`${day}T12:00`);
  const ends = new Set<string | undefined>();
  await page.route('**/v1/bulk', (route) => {
    ends.add((route.request().postDataJSON() as { until?: string }).until);
    return route.fallback();
  });
  await page.getByRole('button', { name: 'Pause 110' }).click();
  const progress = page.locator('[data-part=bulk-progress]');
  await progress.getByRole('button', { name: 'Close' }).first().waitFor();
  expect(await progress.getByRole('status').textContent()).toBe('110 of 110 done');
  await page.unroute('**/v1/bulk');
  expect([...ends]).toEqual([expect.stringContaining(`${day}T`)]);
  const { body } = await world.api('GET', '/v1/jobs?tag=team:many&status=active');
  expect(body.items).toEqual([]);
}

async function shapesBesideColours(_world: ConsoleWorld, page: Page): Promise<void> {
  const shapes = new Map<string, string>();
  for (const [path, part] of [
    ['/jobs', 'jobs'],
    ['/jobs/blocks', 'ledger'],
    ['/workflows/nightly', 'runs'],
  ]) {
    await follow(page, path!);
    const marks = page.locator(`[data-part=${part}] .mark`);
    await marks.first().waitFor();
    const found = (await marks.evaluateAll((all) =>
      all.map((one) => [one.className, one.querySelector('svg')?.innerHTML ?? '']),
    )) as [string, string][];
    for (const [name, shape] of found) shapes.set(name.replace('mark ', ''), shape);
  }
  const seen = [...shapes.keys()];
  expect(seen).toEqual(expect.arrayContaining(['s-active', 's-blocked', 's-failed', 's-succeeded']));
  expect([...shapes.values()]).not.toContain('');
  expect(new Set(shapes.values()).size).toBe(shapes.size);
}

/** Tasks of a run, some of which have no begin, no end and no attempt. */
async function gapsAreDrawn(world: ConsoleWorld, page: Page, watched: Watched): Promise<void> {
  const run = await executionWith(world, 'nightly', 'failed');
  await page.route('**/executions/*/tasks?*', async (route) => {
    const response = await route.fetch();
    const { items, ...rest } = (await response.json()) as { items: { status: string }[] };
    const gaps = [
      { startedAt: null, finishedAt: null, attempts: 0, status: 'waiting' },
      { finishedAt: null, status: 'running' },
      { startedAt: null, status: 'cancelled' },
    ];
    await route.fulfill({
      response,
      json: { ...rest, items: items.map((one, i) => ({ ...one, ...gaps[i] })) },
    });
  });
  await open(page, world.system.url, `/jobs/nightly/executions/${run}`); // the console knows no task yet
  const rows = page.locator('[data-part=gantt] tbody tr');
  await eventually(
    async () => watched.faults.length > 0 || (await rows.count()) > 3,
    (isDone) => isDone,
  );
  expect(watched.faults).toEqual([]);
  expect(await rows.nth(0).locator('.lane').innerText()).toContain('waiting');
  expect(await rows.nth(1).locator('.lane .bar').count()).toBe(1);
  expect(await rows.nth(2).locator('.lane').innerText()).toContain('cancelled');
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

async function boundedSteps(world: ConsoleWorld, page: Page): Promise<void> {
  await seedMany(world);
  await follow(page, '/jobs?tag=team:many');
  await page.getByLabel('Choose all shown').check();
  let underWay = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/v1/jobs/many-*', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    underWay++;
    await released;
    await route.fallback();
  });
  const bar = page.locator('[data-part=bulk]');
  const chosen = Number.parseInt((await bar.locator('strong').textContent())!, 10);
  await bar.getByRole('button', { name: 'Delete…' }).click();
  await page.getByLabel('to confirm').fill(String(chosen));
  await page.getByRole('button', { name: `Delete ${chosen}` }).click();
  await eventually(
    () => underWay,
    (count) => count >= 8,
  );
  const progress = page.locator('[data-part=bulk-progress]');
  await progress.getByRole('button', { name: 'Stop' }).click();
  expect(underWay).toBe(8);
  release();
  await progress.getByRole('button', { name: 'Close' }).first().waitFor();
  expect(await progress.getByRole('status').textContent()).toBe(`8 of ${chosen} done, then stopped`);
  const { body } = await world.api('GET', '/v1/jobs?tag=team:many&limit=100');
  expect(body.items).toHaveLength(100);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** The rules by their number, from 1 on. */
export const RULES: readonly Rule[] = [
  { name: 'what a page shows stands in its address', holds: stateInTheAddress },
  { name: 'a poll never moves what is read', holds: pollsMoveNothing },
  { name: 'a reason stands in its row', holds: reasonsInTheRow },
  { name: 'all that match are chosen, with a count and progress', holds: allThatMatch },
  { name: 'every status has a shape beside its colour', holds: shapesBesideColours },
  { name: 'what has no begin, no end and no attempt is drawn', holds: gapsAreDrawn },
  { name: 'what cannot be undone goes in bounded steps, and stops', holds: boundedSteps },
  { name: 'the list of executions stands in its address, with its order', holds: listInTheAddress },
  { name: 'rows of another filter are never shown as the result', holds: oldRowsAreMarked },
  { name: 'counts are those of the API, whatever is listed', holds: countsOfTheApi },
  { name: 'what a list leaves out is said', holds: boundsAreSaid },
  { name: 'a list of executions keeps itself up to date', holds: listIsLive },
  { name: 'a cause says how it began, and what changed before it', holds: causeSaysWhatChanged },
  { name: 'what one user acknowledges all users know, until there is news', holds: ackIsShared },
  { name: 'a bulk goes on where a reload has ended it', holds: bulkGoesOn },
  { name: 'one of a cause runs first, and the others wait', holds: oneRunsFirst },
  { name: 'a form and its JSON are one, and lose nothing that they do not show', holds: formKeepsAll },
  { name: 'what the API refuses stands at its field, which has the focus', holds: refusalAtItsField },
  { name: 'what the API takes without a value is shown, and never sent', holds: defaultsStayOut },
  { name: 'what is wrong with a workflow stands at its line while it is typed', holds: wrongAtItsLine },
  { name: 'what is typed outlives a reload', holds: textOutlivesReload },
  { name: 'no page shows a raw code', holds: wordsForCodes },
  { name: 'the URLs of a monitor are there to copy, for who may change it', holds: urlsOfAMonitor },
];

/** The rules, one after the other on one page. */
export function ruleTests(given: () => ConsoleWorld): void {
  let own: { page: Page; context: BrowserContext; watched: Watched };
  beforeAll(async () => {
    if (!hasChromium) return;
    own = await given().newPage();
    await enter(own.page, given().system);
  });
  afterEach(() => own?.page.unrouteAll({ behavior: 'ignoreErrors' }));
  afterAll(() => own?.context.close());

  for (const [index, { name, holds }] of RULES.entries())
    inChromium(`${index + 1}: ${name}`, async () => {
      await holds(given(), own.page, own.watched);
      expect(own.watched.faults).toEqual([]);
    });
}
