import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import type { BrowserContext } from 'playwright-core';

import { hasChromium, inChromium, open, signIn } from '../../../support/console/browser';
import type { ConsoleWorld } from '../../../support/console/world';
import { RULES } from '../rules';
import patches from './patches.json';

const BUILD = join(__dirname, 'build.mjs');
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

/** Answers what a patched build in `folder` has, and leaves the rest to the local run. */
async function serve(context: BrowserContext, folder: string): Promise<void> {
  await context.route('**/console/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const isPage = route.request().resourceType() === 'document';
    const path = join(folder, isPage ? 'index.html' : pathname.replace('/console/', ''));
    if (!existsSync(path)) return route.fallback();
    return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(path) });
  });
}

/** What the test of a rule says about a build of the console; undefined: nothing. */
async function complaint(world: ConsoleWorld, rule: number, folder: string): Promise<unknown> {
  const { page, context, watched } = await world.newPage();
  // The sign-in ends with a redirect, and a browser asks for its target without the routes of a context.
  await signIn(page, world.system);
  await serve(context, folder);
  await open(page, world.system.url, '/');
  const said = await RULES[rule - 1]!.holds(world, page, watched).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.close();
  return said;
}

/**
 * Each rule of the console has a kept patch that breaks it, and the test of the rule has to notice. All
 * patched builds together take some seconds.
 */
export function patchTests(given: () => ConsoleWorld): void {
  let folder: string;
  beforeAll(() => {
    if (!hasChromium) return;
    folder = mkdtempSync(join(tmpdir(), 'console-patches-'));
    execFileSync(process.execPath, [BUILD, folder]);
  });
  afterAll(() => {
    if (hasChromium) rmSync(folder, { recursive: true });
  });

  test('there is a patch for each rule', () => {
    expect(patches.map(({ rule }) => rule)).toEqual(RULES.map((_, index) => index + 1));
  });
  inChromium.each(patches)('the test of rule $rule notices a patch that breaks it', async ({ rule }) => {
    // An expectation that failed: a wait that ran into its limit would say nothing about the rule.
    expect(await complaint(given(), rule, join(folder, String(rule)))).toHaveProperty('matcherResult');
  });
}
