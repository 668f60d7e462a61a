import { existsSync } from 'node:fs';

import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

import { eventually } from '../eventually';

/** Debian's path. `.ci/run` installs it if it can. */
const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium)
  process.stderr.write(`skipped: the console in a browser, because there is no ${CHROMIUM}\n`);

/** A test in the browser; it is skipped where there is none. */
export const inChromium = hasChromium ? test : test.skip;

/** How long a test waits for a signal before it fails. A busy machine needs some of it; no test sleeps. */
export const PATIENCE_MS = 120_000;

// Pages live for seconds: an optimizing compiler and many small collections of garbage do not pay.
const SCRIPT_FLAGS = '--min-semi-space-size=64,--max-semi-space-size=64,--single-threaded-gc,--no-turbofan';

const FLAGS = [
  `--js-flags=${SCRIPT_FLAGS}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const launch = (): Promise<Browser> => chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

/** What a page must not do, as it happened. */
export interface Watched {
  /** Errors of the console, of scripts, reports of the content security policy, requests to other origins. */
  faults: string[];
  /** Requests to the API: `GET /v1/jobs`. */
  calls: string[];
  /** How many requests are under way. */
  underWay: number;
}

/** Notes the faults and the requests of all pages of a context. */
export async function watch(context: BrowserContext, origin: string): Promise<Watched> {
  const watched: Watched = { faults: [], calls: [], underWay: 0 };
  await context.exposeFunction('reportViolation', (what: string) => watched.faults.push(`CSP: ${what}`));
  await context.addInitScript({
    content: `addEventListener('securitypolicyviolation', (event) =>
      reportViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  });
  context.on('weberror', (error) => watched.faults.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      watched.faults.push(`${message.text()} ${message.location().url}`);
  });
  context.on('requestfinished', () => watched.underWay--);
  context.on('requestfailed', () => watched.underWay--);
  context.on('request', (request) => {
    watched.underWay++;
    const url = new URL(request.url());
    if (url.origin !== origin) watched.faults.push(`request to ${url.origin}`);
    else if (url.pathname.startsWith('/v1/')) watched.calls.push(`${request.method()} ${url.pathname}`);
  });
  return watched;
}

/** Opens the console and signs in by its page. Resolves on the page that `path` names. */
export async function signIn(
  page: Page,
  { url, signInCode }: { url: string; signInCode: string },
  { user = 'alice', path = '/', scopes = [], without = [] }: SignInOptions = {},
): Promise<void> {
  await page.goto(`${url}/console${path}#run_code=${signInCode}`);
  await page.locator('input[name=user]').fill(user);
  for (const scope of scopes) await page.locator(`input[value="${scope}"]`).check();
  for (const scope of without) await page.locator(`input[value="${scope}"]`).uncheck();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.locator('[data-part=navigation]').waitFor();
  await settled(page);
}

export interface SignInOptions {
  user?: string;
  /** Below `/console`. */
  path?: string;
  /** Scopes beyond those that the console asks for, and scopes to leave out. */
  scopes?: string[];
  without?: string[];
}

/** Waits until the page has its heading and all of its data. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Time limits of requests are by the clock of the page: a move would end those without an answer. */
const answered = (watched: Watched): Promise<number> =>
  eventually(
    () => watched.underWay,
    (count) => count === 0,
  );

/** Moves the clock of a page once no request is under way. All that is due meanwhile happens in its order. */
export async function moveClock(page: Page, watched: Watched, ms: number): Promise<void> {
  await answered(watched);
  await page.clock.runFor(ms);
}

/** Moves the clock of a page at once, as a computer that was asleep does: each timer fires once at most. */
export async function jumpClock(page: Page, watched: Watched, ms: number): Promise<void> {
  await answered(watched);
  await page.clock.fastForward(ms);
}

/** Goes to another page as a link to it from elsewhere does: the console starts anew. */
export async function open(page: Page, origin: string, path: string): Promise<void> {
  await page.goto(`${origin}/console${path}`);
  await settled(page);
}

/** Goes to another page as a link of the console does: without a start. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/console${path}`)})`);
  await settled(page);
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The rules that depend on colours. The others hold in each theme alike. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Violations of WCAG 2.2 AA on the page, one line each. */
export async function violations(page: Page, which: 'all' | 'colours' = 'all'): Promise<string[]> {
  // By the debugger's way in: the policy of the page allows no other scripts.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source);
  const runOnly = which === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: COLOUR_RULES };
  return page.evaluate(`(async () => {
    const options = { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] };
    const { violations } = await axe.run(document, options);
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | '));
  })()`);
}

/** How far the page is wider than the window, in pixels. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** The parts that are on the page. */
export const partsOf = (page: Page): Promise<string[]> =>
  page
    .locator('[data-part]')
    .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('data-part')!))]);
