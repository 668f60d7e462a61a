/**
 * Each rule of the console has a kept patch that breaks it, and its test has to notice: `npm run
 * test:console-patches`. A build takes seconds, so `npm test` leaves these out. One local run and one browser
 * serve all patches: what the browser asks for under `/console/` is answered from the patched build.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

import type { BrowserContext } from 'playwright-core';

import { hasChromium, signIn } from '../../support/console/browser';
import { seed } from '../../support/console/seed';
import { type ConsoleWorld, consoleWorld } from '../../support/console/world';
import patches from './patches.json';
import { RULES } from './rules';

const isAsked = hasChromium && process.env.QUARTERJACK_CONSOLE_PATCHES === '1';
const testOfPatch = isAsked ? test : test.skip;
const BUILD = join(__dirname, '../../support/console/build-patched.mjs');
const TYPES: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html' };

let world: ConsoleWorld;
const folder = mkdtempSync(join(tmpdir(), 'console-patches-'));

beforeAll(async () => {
  if (!isAsked) return;
  world = await consoleWorld();
  await seed(world);
}, 600_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world?.end();
});

/** Answers what a patched build has, and leaves the rest to the local run. */
async function serve(context: BrowserContext, files: string): Promise<void> {
  await context.route('**/console/**', (route) => {
    const { pathname } = new URL(route.request().url());
    const isPage = route.request().resourceType() === 'document';
    const path = join(files, isPage ? 'index.html' : pathname.replace('/console/', ''));
    if (!existsSync(path)) return route.fallback();
    return route.fulfill({ contentType: TYPES[extname(path)], body: readFileSync(path) });
  });
}

testOfPatch.each(patches)('rule $rule is tested', async ({ rule, edits }) => {
  const files = join(folder, String(rule));
  execFileSync(process.execPath, [BUILD, JSON.stringify(edits), files]);
  const { page, context } = await world.newPage();
  await serve(context, files);
  await signIn(page, world.system);
  const failure = await RULES[rule - 1]!.holds(world, page).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  // A wait that ran into its limit would say nothing about the rule.
  expect(failure).toHaveProperty('matcherResult');
  await context.close();
});

test('there is a patch for each rule', () => {
  expect(patches.map(({ rule }) => rule)).toEqual(RULES.map((_, index) => index + 1));
});
