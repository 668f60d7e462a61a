/**
 * Makes the pictures of the docs: starts the system, gives it jobs, and photographs pages of the console.
 *
 *     npm run docs:pictures -- [--folder FOLDER] [--only NAME] [--font FAMILY=FILE]
 *
 * `--only` and `--font` may be repeated. `--font` gives the pages a font that this machine does not have. The
 * pictures of the docs have Inter and JetBrains Mono, from the npm packages `@fontsource-variable/…`.
 *
 * Needs Chromium, at `QUARTERJACK_CHROMIUM` or `/usr/bin/chromium`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { type Browser, chromium, type Page } from 'playwright-core';

import { type LocalRun, start } from '../../local/start';
import { withPalette } from './palette-png';
import { seed } from './seed';
import { type Shot, SHOTS } from './shots';
import { startTarget } from './target';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: join(__dirname, '../../docs/pictures') },
    only: { type: 'string', multiple: true, default: [] },
    font: { type: 'string', multiple: true, default: [] },
  },
});
const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
/** A busy machine needs some of it. */
const PATIENCE_MS = 300_000;
const SIZES = {
  wide: { width: 1_280, height: 860 },
  tall: { width: 1_280, height: 1_400 },
  narrow: { width: 390, height: 844 },
};

async function main(): Promise<void> {
  const known = new Set(SHOTS.map(({ name }) => name));
  const unknown = options.only.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Error(`--only: no picture is called ${unknown.join(', ')}; there are ${[...known].join(', ')}`);
  const target = await startTarget();
  const run = await start({ port: 0, dataDir: undefined });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    const headers = async (scope?: string) => ({
      authorization: `Bearer ${await run.token('alice', scope)}`,
      'content-type': 'application/json',
    });
    await seed({ url: run.url, headers }, target.at);
    await photographAll(browser, run);
  } finally {
    await browser.close();
    await run.stop();
    target.stop();
  }
}

/** Pictures that are alike in scheme, size and rights share a window. */
async function photographAll(browser: Browser, run: LocalRun): Promise<void> {
  const wanted = SHOTS.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
  const windows = new Map<string, Page>();
  for (const shot of wanted) {
    const kind = `${shot.scheme ?? 'light'} ${shot.size ?? 'wide'} ${shot.isForOperators === true}`;
    const page = windows.get(kind) ?? (await signedIn(browser, run, shot));
    windows.set(kind, page);
    await page.goto(`${run.url}/console${shot.path}`);
    await settled(page);
    await shot.prepare?.(page);
    await settled(page);
    writeFileSync(join(options.folder, `${shot.name}.png`), withPalette(await page.screenshot()));
  }
}

async function signedIn(
  browser: Browser,
  run: LocalRun,
  { scheme = 'light', size = 'wide', isForOperators = false }: Shot,
): Promise<Page> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    timezoneId: 'Europe/Berlin',
    colorScheme: scheme,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  for (const font of options.font) await page.addInitScript({ content: fontScript(font) });
  await page.goto(run.consoleUrl!);
  await page.locator('input[name=user]').fill('alice');
  if (isForOperators) await page.locator('input[value=admin]').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-part=navigation]').waitFor();
  return page;
}

/** The policy of the pages lets them load no font. One that is there as bytes needs no loading. */
function fontScript(font: string): string {
  const [family = '', file = ''] = font.split(/=(.*)/s);
  const bytes = readFileSync(file).toString('base64');
  return `{
    const bytes = Uint8Array.from(atob('${bytes}'), (one) => one.charCodeAt(0));
    const face = new FontFace(${JSON.stringify(family)}, bytes, { weight: '100 900' });
    document.fonts.add(face);
    void face.load();
  }`;
}

/** Waits until the page has its heading, its data and its fonts. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
  // Without a scrollbar, its gutter is a strip at the right.
  await page.evaluate("document.documentElement.style.scrollbarGutter = 'auto'");
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
