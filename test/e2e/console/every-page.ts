import type { Page } from 'playwright-core';

import { follow, inChromium, overflow, partsOf, violations } from '../../support/console/browser';
import { type PageIds, pagesWith, SHELL, SOMETIMES } from '../../support/console/pages';
import { enter } from '../../support/console/kept-session';
import type { ConsoleWorld } from '../../support/console/world';
import { eventually } from '../../support/eventually';
import { rawCodesOf } from './raw-codes';

interface Given {
  world: ConsoleWorld;
  ids: PageIds;
}

/** Windows that go through the pages side by side. */
const WINDOWS = 2;
const WIDTHS = [1_024, 768, 320];

/** What is wrong with a page, by what was checked. */
async function wrongs(page: Page, path: string, parts: readonly string[]): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  const note = (where: string, wrong: unknown[]) => {
    if (wrong.length > 0) found[`${path} ${where}`] = wrong;
  };
  await follow(page, path);
  const present = await eventually(
    () => partsOf(page),
    (all) => [...SHELL, ...parts].every((part) => all.includes(part)),
  );
  const known = new Set([...SHELL, ...parts, ...SOMETIMES]);
  note(
    'has parts that no list names',
    present.filter((part) => !known.has(part)),
  );
  note('raw codes', await rawCodesOf(page));
  note('light', await violations(page));
  await page.emulateMedia({ colorScheme: 'dark' });
  note('dark', await violations(page, 'colours'));
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  note('forced colours', await violations(page, 'colours'));
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const wider = await overflow(page);
    if (wider > 0) note(`at ${width} px`, [`${wider} px wider`]);
  }
  await page.setViewportSize({ width: 1_280, height: 900 });
  return found;
}

async function everyPage({ world, ids }: Given): Promise<void> {
  const found: Record<string, unknown> = {};
  const queue = pagesWith(ids).values();
  const goThrough = async (): Promise<void> => {
    const { page, context, watched } = await world.newPage();
    await enter(page, world.system, { scopes: ['admin'], path: '/settings' });
    for (const [path, parts] of queue) {
      Object.assign(found, await wrongs(page, path, parts));
      if (watched.faults.length > 0) found[`${path} faults`] = watched.faults.splice(0);
    }
    await context.close();
  };
  await Promise.all(Array.from({ length: WINDOWS }, goThrough));
  expect(found).toEqual({});
}

/** What holds for every page. */
export function everyPageTests(given: () => Given): void {
  inChromium(
    'every page has its parts, no violation of WCAG in light, dark and forced colours, and fits into 320 px',
    () => everyPage(given()),
  );
}
