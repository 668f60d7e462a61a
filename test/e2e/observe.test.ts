import { existsSync } from 'node:fs';

import { type Browser, chromium, type Page } from 'playwright-core';

import { apiCaller } from '../support/api-caller';
import { eventually } from '../support/eventually';
import { type RunningSystem, startSystem } from '../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../support/loopback-server';

/** Debian's path. `.ci/run` installs it if it can. */
const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
const found = existsSync(CHROMIUM);
if (!found) process.stderr.write(`skipped: the dashboard in a browser, because there is no ${CHROMIUM}\n`);
const testInChromium = found ? test : test.skip;

let system: RunningSystem;
let browser: Browser | undefined;
let receiver: LoopbackServer;
beforeAll(async () => {
  receiver = await listenOnLoopback((request, response) => {
    response.writeHead(request.url === '/healthy' ? 200 : 404).end();
  });
  system = await startSystem('--port', '0', '--ephemeral');
});
afterAll(async () => {
  await browser?.close();
  await system?.end();
  receiver.stop();
});

/** Creates a one-time job that is due in a second. */
async function makeJob(jobId: string, target: object): Promise<void> {
  const api = apiCaller(system.url, await system.token('alice'));
  const answer = await api('POST', '/v1/jobs', { jobId, schedule: { type: 'delay', delay: '1s' }, target });
  expect(answer.status).toBe(201);
}
const targetAt = (path: string) => ({
  type: 'http',
  url: receiver.url + path,
  method: 'GET',
});
const healthy = () => targetAt('/healthy');

interface SeenEvents {
  events: {
    source: string;
    detailType: string;
    detail: { jobId: string; userId: string; reason: string | null };
  }[];
}

test('the ends of executions are published on the event bus', async () => {
  await makeJob('succeeds', healthy());
  await makeJob('fails', targetAt('/nowhere'));
  const { events } = await eventually(
    async () => (await (await fetch(`${system.url}/_local/events`)).json()) as SeenEvents,
    (seen) => seen.events.length >= 2,
  );
  const published = events.map(({ source, detailType, detail }) => [
    source,
    detailType,
    detail.userId,
    detail.jobId,
    detail.reason,
  ]);
  expect(published).toEqual(
    expect.arrayContaining([
      ['quarterjack', 'execution.completed', 'alice', 'succeeds', null],
      ['quarterjack', 'execution.failed', 'alice', 'fails', 'fatal'],
    ]),
  );
});

/** The value in the legend of a graph for one of its lines. */
const legendValue = (page: Page, graph: string, line: string): Promise<number> =>
  page
    .locator('section', { has: page.locator('h2', { hasText: graph }) })
    .locator('li', { hasText: line })
    .locator('b')
    .first()
    .textContent()
    .then((text) => Number((text ?? '').replaceAll(',', '')));

testInChromium(
  'a browser draws the dashboard of the template from the metrics of the functions',
  async () => {
    for (const jobId of ['one', 'two', 'three']) await makeJob(jobId, healthy());

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
      'Workflows: tasks',
      'Workflows: from ready to claimed',
      'Workflows: repairs',
    ]);
    for (const drawn of ['Registered', 'Executions', 'Lateness', 'Backlog', 'Cursor lag'])
      await page
        .locator('section[data-drawn=true]', { has: page.locator('h2', { hasText: drawn }) })
        .locator('canvas')
        .waitFor();

    await page.locator('select[name=period]').selectOption('300');
    await page.locator('li', { hasText: /^succeeded[3-9]/ }).waitFor();
    expect(await legendValue(page, 'Executions', 'succeeded')).toBeGreaterThanOrEqual(3);
    expect(await legendValue(page, 'Executions', 'failed')).toBe(1);
    expect(await legendValue(page, 'Registered', 'jobs created')).toBeGreaterThanOrEqual(3);
    expect(await legendValue(page, 'Lateness', 'p99')).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  },
);

// Last: for some seconds after a start, functions still have the stop in their caches.
test('an operator stops the deployment and starts it again, by its own schedule', async () => {
  const headers = { authorization: `Bearer ${await system.token('operator', 'admin')}` };
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${system.url}/v1/admin/${path}`, { method, headers });
    return [answer.status, (await answer.json()) as unknown];
  };
  const running = [200, expect.objectContaining({ state: 'running', tick: 'on', stoppedBy: null })];
  const stopped = [200, expect.objectContaining({ state: 'stopped', tick: 'off', stoppedBy: 'operator' })];
  expect(await ask('GET', 'status')).toEqual(running);
  expect(await ask('POST', 'stop')).toEqual(stopped);
  expect(await ask('GET', 'status')).toEqual(stopped);
  expect(await ask('POST', 'start')).toEqual(running);
  expect(await ask('GET', 'status')).toEqual(running);
});
