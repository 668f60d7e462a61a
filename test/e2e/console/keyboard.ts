import type { Page } from 'playwright-core';

import { follow, inChromium, settled } from '../../support/console/browser';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';

/** More stops of the Tab key than any page has. */
const MOST_STOPS = 250;

/** And more than one field has. */
const MOST_WITHIN = 8;

interface Stop {
  /** Its accessible name, as far as these tests need it. */
  name: string;
  /** Whether its outline is drawn, and it is in the window. */
  isSeen: boolean;
  /** Its number in the order of the document; -1: nothing of the page has the focus. */
  index: number;
}

const focused = (page: Page): Promise<Stop> =>
  page.evaluate<Stop>(`(() => {
    const at = document.activeElement;
    if (at === null || at === document.body) return { name: '', isSeen: true, index: -1 };
    const around = at.closest('label, .find') ?? at;
    const isOutlined = [at, around].some((one) => {
      const style = getComputedStyle(one);
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    });
    const { top, bottom, left, right } = at.getBoundingClientRect();
    const isInside = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth;
    const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent ?? '';
    return {
      name: name.trim(),
      isSeen: isOutlined && isInside,
      index: [...document.querySelectorAll('*')].indexOf(at),
    };
  })()`);

/** Presses Tab until the focus is on what has the name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (name.test(at.name)) return;
    passed.push(at.name.slice(0, 30));
  }
  throw new Error(`no stop is ${String(name)}; passed: ${passed.slice(0, 80).join(', ')}`);
}

/** What is wrong with the stops of a page, from its heading to its end. */
async function tabOrder(page: Page, path: string): Promise<unknown[]> {
  await follow(page, path);
  await page.locator('h1:focus').waitFor();
  await settled(page); // of this page: the one before may have been there until its heading came
  const wrong: unknown[] = [];
  const seen: number[] = [];
  let within = 0;
  for (;;) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    // Behind the end of a page is its beginning. What has the focus twice before that is a trap.
    if (at.index === -1 || at.index === seen[0]) break;
    // A field for a date has a stop for its day, month, year and picker.
    if (at.index === seen.at(-1) && ++within < MOST_WITHIN) continue;
    if (seen.includes(at.index)) return [[path, `leads back to ${at.name}`]];
    seen.push(at.index);
    within = 0;
    if (!at.isSeen) wrong.push([path, at.name]);
  }
  if (seen.length < 3) wrong.push([path, `has ${seen.length} stops`]);
  return wrong;
}

/** Creates a job, runs it, finds its failure and retries it, by keys alone. */
async function byKeysAlone(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await enter(page, world.system);
  await page.keyboard.press('g');
  await page.keyboard.press('j');
  await page.waitForURL('**/console/jobs');
  await settled(page);
  await page.locator('h1:focus').waitFor();
  await tabTo(page, /^New job$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/jobs/~new');
  await settled(page);
  await tabTo(page, /^Id/);
  await page.keyboard.type('by-keys');
  await tabTo(page, /^URL/);
  await page.keyboard.type(world.at('/400/1').url);
  await tabTo(page, /^Create$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/console/jobs/by-keys');
  await settled(page);
  await page.locator('h1:focus').waitFor();
  await page.keyboard.press('r');
  await page.locator('[data-part=run-dialog]').waitFor();
  await tabTo(page, /^Run now$/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/jobs/by-keys/executions/*');
  await page.locator('h1 .s-failed').waitFor();

  await world.api('PATCH', '/v1/jobs/by-keys', { target: world.at('/200/1') });
  await page.keyboard.press('g');
  await page.keyboard.press('f');
  await page.waitForURL('**/console/failures');
  await settled(page);
  await page.locator('h1:focus').waitFor();
  await tabTo(page, /^Executions of .*400/);
  if ((await page.locator('*:focus').getAttribute('aria-expanded')) === 'false')
    await page.keyboard.press('Enter');
  // What the page shows at first may be two seconds old.
  await page.getByRole('link', { name: /^Open by-keys/ }).waitFor();
  await tabTo(page, /^Open by-keys/);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/jobs/by-keys/executions/*');
  await page.locator('h1 .s-failed').waitFor();
  await page.keyboard.press('r');
  const succeeded = page.locator('h1 .s-succeeded');
  await succeeded.waitFor();
  expect(await succeeded.count()).toBe(1);
  await context.close();
}

async function tabOrders(world: ConsoleWorld): Promise<void> {
  const { page, context } = await world.newPage();
  await enter(page, world.system, { path: '/settings' });
  const wrong: unknown[] = [];
  for (const path of ['/jobs/~new', '/jobs/invoice-42/schedule', '/failures', '/queues'])
    wrong.push(...(await tabOrder(page, path)));
  expect(wrong).toEqual([]);
  await context.close();
}

/** What the keyboard alone does. */
export function keyboardTests(given: () => ConsoleWorld): void {
  inChromium('a job is created, its failure is found and retried by keys alone', () => byKeysAlone(given()));
  inChromium('the Tab key reaches everything once, and the focus is seen', () => tabOrders(given()));
}
