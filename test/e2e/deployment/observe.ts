import type { Browser, Page } from 'playwright-core';

import { apiCaller } from '../../support/api-caller';
import { inChromium, launch, PATIENCE_MS } from '../../support/console/browser';
import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';
import { listenOnLoopback, type LoopbackServer } from '../../support/loopback-server';

let system: RunningSystem;
let browser: Browser | undefined;
let receiver: LoopbackServer;
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

/** The value in the legend of a graph for one of its lines. */
const legendValue = (page: Page, graph: string, line: string): Promise<number> =>
  page
    .locator('section', { has: page.locator('h2', { hasText: graph }) })
    .locator('li', { hasText: line })
    .locator('b')
    .first()
    .textContent()
    .then((text) => Number((text ?? '').replaceAll(',', '')));

/** What operators see of a deployment. They count its first executions, so they come first. */
export function describeObserve(given: () => RunningSystem): void {
  describe('what operators see', () => {
    beforeAll(async () => {
      receiver = await listenOnLoopback((request, response) => {
        response.writeHead(request.url === '/healthy' ? 200 : 404).end();
      });
      system = given();
    });
    afterAll(async () => {
      await browser?.close();
      receiver.stop();
    });

    test('the ends of executions are published on the event bus', async () => {
      await makeJob('succeeds', healthy());
      await makeJob('fails', targetAt('/nowhere'));
      const { events } = await eventually(
        async () => (await (await fetch(`${system.url}/_local/events`)).json()) as SeenEvents,
        // The canary's executions end too.
        (seen) => ['succeeds', 'fails'].every((id) => seen.events.some(({ detail }) => detail.jobId === id)),
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

    inChromium(
      'a browser draws the dashboard of the template from the metrics of the functions',
      async () => {
        for (const jobId of ['one', 'two', 'three']) await makeJob(jobId, healthy());

        browser = await launch();
        const page = await browser.newPage();
        page.setDefaultTimeout(PATIENCE_MS);
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
        for (const counted of [/^succeeded[3-9]/, /^failed1/])
          await page.locator('li', { hasText: counted }).waitFor();
        expect(await legendValue(page, 'Executions', 'succeeded')).toBeGreaterThanOrEqual(3);
        expect(await legendValue(page, 'Executions', 'failed')).toBe(1);
        expect(await legendValue(page, 'Registered', 'jobs created')).toBeGreaterThanOrEqual(3);
        expect(await legendValue(page, 'Lateness', 'p99')).toBeGreaterThan(0);
        expect(faults).toEqual([]);
      },
    );
  });
}
