import { existsSync } from 'node:fs';

import { type Browser, chromium, type Page } from 'playwright-core';

import { type RunningSystem, startSystem } from '../support/local-run';

/** Debian's; `.ci/run` installs it where it may. */
const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
const found = existsSync(CHROMIUM);
if (!found) process.stderr.write(`left out: the dashboard in a browser, because there is no ${CHROMIUM}\n`);
const testInChromium = found ? test : test.skip;

let system: RunningSystem | undefined;
let browser: Browser | undefined;
afterEach(async () => {
  await browser?.close();
  await system?.end();
});

/** The value that the legend of a graph tells for one of its lines. */
const told = (page: Page, graph: string, line: string): Promise<number> =>
  page
    .locator('section', { has: page.locator('h2', { hasText: graph }) })
    .locator('li', { hasText: line })
    .locator('b')
    .first()
    .textContent()
    .then((text) => Number((text ?? '').replaceAll(',', '')));

testInChromium(
  'the dashboard of the template is drawn in a browser, from what the functions measure',
  async () => {
    system = await startSystem('--port', '0', '--ephemeral');
    const jobs = `${system.url}/v1/jobs`;
    const headers = {
      authorization: `Bearer ${await system.token('alice')}`,
      'content-type': 'application/json',
    };
    const target = { type: 'http', url: `${system.url}/v1/health`, method: 'GET' };
    const body = JSON.stringify({ schedule: { type: 'delay', delay: '1s' }, target });
    for (let made = 0; made < 3; made++)
      expect((await fetch(jobs, { method: 'POST', headers, body })).status).toBe(201);

    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('requestfailed', (request) => faults.push(request.url()));
    await page.goto(`${system.url}/_local/dashboard`);

    await page.locator('#state[data-live=true]').waitFor();
    expect(
      await page.locator('h2').evaluateAll((all) => all.map((one) => one.firstChild?.textContent)),
    ).toEqual([
      'Registered',
      'Due and dispatched',
      'Cursor lag',
      'Backlog',
      'Executions',
      'Lateness',
      'Repairs',
      'Dead letters',
      'Canary',
      'Function errors',
    ]);
    for (const drawn of ['Registered', 'Executions', 'Lateness', 'Backlog', 'Cursor lag'])
      await page
        .locator('section[data-drawn=true]', { has: page.locator('h2', { hasText: drawn }) })
        .locator('canvas')
        .waitFor();

    await page.locator('select[name=period]').selectOption('300');
    await page.locator('li', { hasText: /^succeeded[3-9]/ }).waitFor();
    expect(await told(page, 'Executions', 'succeeded')).toBeGreaterThanOrEqual(3);
    expect(await told(page, 'Executions', 'failed')).toBe(0);
    expect(await told(page, 'Registered', 'jobs made')).toBeGreaterThanOrEqual(3);
    expect(await told(page, 'Lateness', 'p99')).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  },
  60_000,
);
