import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import type { BrowserContext, Page } from 'playwright-core';

import { hasChromium, inChromium, open, type Watched } from '../../../support/console/browser';
import { enter } from '../../../support/console/kept-session';
import type { ConsoleWorld } from '../../../support/console/world';
import { RULES } from '../rules';
import patches from './patches.json';

const BUILD = join(__dirname, 'build.mjs');
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** Answers what the patched build of now has, and leaves the rest to the local run. */
async function serve(context: BrowserContext, folderOfNow: () => string): Promise<void> {
  await context.route('**/console/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const isPage = route.request().resourceType() === 'document';
    const path = join(folderOfNow(), isPage ? 'index.html' : pathname.replace('/console/', ''));
    if (!existsSync(path)) return route.fallback();
    return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(path) });
  });
}

interface Patched {
  page: Page;
  context: BrowserContext;
  watched: Watched;
  /** The build that the page gets with its next load. */
  folder: string;
}

/** What the test of a rule says about a build of the console; undefined: nothing. */
async function complaint(world: ConsoleWorld, rule: number, { page, watched }: Patched): Promise<unknown> {
  watched.faults.length = 0;
  await page.setViewportSize({ width: 1_280, height: 720 });
  await open(page, world.system.url, '/');
  const said = await RULES[rule - 1]!.holds(world, page, watched).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return said;
}

/** `npm run test:console-patches` sets it. */
const { QUARTERJACK_CONSOLE_PATCHES: isAsked } = process.env;

/**
 * Each rule of the console has a kept patch that breaks it, and the test of the rule has to notice. They are
 * the mutants of the console, so `npm test` does not play them.
 */
export function patchTests(given: () => ConsoleWorld): void {
  test('there is a patch for each rule', () => {
    expect(patches.map(({ rule }) => rule)).toEqual(RULES.map((_, index) => index + 1));
  });
  if (isAsked === undefined) return;

  let folder: string;
  let patched: Patched;
  beforeAll(async () => {
    if (!hasChromium) return;
    folder = mkdtempSync(join(tmpdir(), 'console-patches-'));
    execFileSync(process.execPath, [BUILD, folder]);
    patched = { ...(await given().newPage()), folder };
    await serve(patched.context, () => patched.folder);
    await enter(patched.page, given().system);
  });
  afterAll(async () => {
    if (!hasChromium) return;
    await patched.context.close();
    rmSync(folder, { recursive: true });
  });

  inChromium.each(patches)('the test of rule $rule notices a patch that breaks it', async ({ rule }) => {
    // An expectation that failed: a wait that ran into its limit would say nothing about the rule.
    patched.folder = join(folder, String(rule));
    expect(await complaint(given(), rule, patched)).toHaveProperty('matcherResult');
  });
}
