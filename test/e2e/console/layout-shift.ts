import type { Page } from 'playwright-core';

import { inChromium, settled } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';

const MOST = 0.01;
/** Answers come apart, and after the areas that stand in for them. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 };

interface Shift {
  value: number;
  /** What moved, with its place, width and height before and after. */
  moved: string[];
}

const WATCH = `
  globalThis.shifts = [];
  const placeOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
  const nameOf = (node) => {
    const element = node?.parentElement && node.nodeType !== 1 ? node.parentElement : node;
    return element ? element.tagName + '.' + element.className : 'removed';
  };
  globalThis.shiftWatch = new PerformanceObserver((list) => note(list.getEntries()));
  const note = (entries) => {
    for (const { value, hadRecentInput, sources } of entries)
      if (!hadRecentInput) shifts.push({ value, moved: sources.map(({ node, previousRect, currentRect }) =>
        nameOf(node) + ' ' + placeOf(previousRect) + ' to ' + placeOf(currentRect)) });
  };
  globalThis.shiftsSoFar = () => (note(shiftWatch.takeRecords()), shifts);
  shiftWatch.observe({ type: 'layout-shift', buffered: true });`;

/** What moves while a page comes, in a browser that has nothing of it. */
async function firstVisit(world: ConsoleWorld, path: string): Promise<Shift[]> {
  const { page, context } = await world.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.addInitScript(WATCH);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await enter(page, world.system, { path });
  await settled(page);
  await page.waitForLoadState('networkidle');
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  const shifts = await page.evaluate<Shift[]>('shiftsSoFar()');
  await context.close();
  return shifts;
}

/** Where the parts of Today begin. */
const placesOf = (page: Page): Promise<Record<string, number>> =>
  page
    .locator('[data-part=day-strip], [data-part=planned-load], [data-part=next-up]')
    .evaluateAll((all) =>
      Object.fromEntries(all.map((one) => [one.dataset.part!, one.getBoundingClientRect().y])),
    );

/** Less than half a pixel away: no reader sees it. */
const near = (y: number): number => expect.closeTo(y, 0) as number;

/** The executions of the day come last: what is below them has its place by then. */
async function dayComesLast(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage({ viewport: { width: 1_280, height: 900 } });
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route(/\/v1\/(executions|stats)\?/, async (route) => {
    await held;
    await route.fallback();
  });
  const whole = enter(page, world.system, { path: '/' });
  await page.locator('[data-part=needs-you]').waitFor();
  await page.locator('[data-part=planned-load] [data-part=heat-map]').waitFor();
  const before = await placesOf(page);
  answer();
  await whole;
  await page.locator('[data-part=numbers]').waitFor();
  const after = await placesOf(page);
  expect(Object.keys(before)).toHaveLength(3);
  for (const [part, y] of Object.entries(before)) expect([part, after[part]]).toEqual([part, near(y)]);
  await context.close();
}

/** A page has room for its data before they come. */
export function layoutShiftTests(given: () => { world: ConsoleWorld; run: string }): void {
  inChromium('the executions of the day move nothing when they come last', () => dayComesLast(given().world));
  const paths: Record<string, (run: string) => string> = {
    Today: () => '/',
    Jobs: () => '/jobs',
    'a job': () => '/jobs/nightly',
    Executions: () => '/executions',
    Failures: () => '/failures',
    Queues: () => '/queues',
    'a run': (run) => `/jobs/nightly/executions/${run}`,
  };
  for (const [name, pathOf] of Object.entries(paths))
    inChromium(`what ${name} shows keeps its place on a first visit`, async () => {
      const { world, run } = given();
      const shifts = await firstVisit(world, pathOf(run));
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      expect(sum < MOST ? [] : shifts).toEqual([]);
    });
}
