/**
 * Makes the pictures of `docs/console.md`: starts the system, gives it jobs, and photographs the pages.
 *
 *     npm run docs:pictures -- [--folder FOLDER] [--scheme light|dark] [--width PIXELS]
 *
 * Needs Chromium, at `QUARTERJACK_CHROMIUM` or `/usr/bin/chromium`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { chromium, type Page } from 'playwright-core';

import { type LocalRun, start } from '../../local/start';
import { workAtQueue } from './workers';

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: join(__dirname, '../../docs/pictures') },
    scheme: { type: 'string', default: 'light' },
    width: { type: 'string', default: '1280' },
  },
});
const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
/** Some executions have ended by then, and some have failed. */
const SOME_HISTORY_MS = 75_000;
/** A busy machine needs some of it. */
const PATIENCE_MS = 120_000;

const target = createServer((request, response) => {
  const [, status = '200', ms = '5'] = (request.url ?? '').split('/');
  const body = status === '503' ? '{"error":"upstream_unavailable","retry_after":120}' : '{"ok":true}';
  setTimeout(() => response.writeHead(Number(status)).end(body), Number(ms));
});

const CRON = { type: 'cron', timezone: 'Europe/Berlin' };
const TEAMS = ['billing', 'data', 'growth', 'finance'];

/** Definitions by jobId. `url`: of the target. */
function jobs(url: string): Record<string, object> {
  const at = (path: string) => ({ type: 'http', url: url + path });
  const many = Array.from({ length: 40 }, (_, index) => [
    `report-${String(index).padStart(3, '0')}`,
    {
      name: `Report ${index}`,
      schedule: { ...CRON, expression: `${index % 3 ? (index * 7) % 60 : 0} ${6 + (index % 14)} * * *` },
      target: at('/200'),
      tags: { team: TEAMS[index % TEAMS.length] },
    },
  ]);
  return {
    'invoice-reminder-42': {
      name: 'Invoice reminder',
      schedule: { ...CRON, expression: '30 2,9 * * MON-FRI,SUN', exclude: ['2026-12-24/2027-01-01'] },
      target: at('/200'),
      payload: { invoice: 42 },
      tags: { team: 'billing', env: 'prod' },
    },
    heartbeat: { name: 'Heartbeat', schedule: { type: 'interval', every: '3s' }, target: at('/200/40') },
    'flaky-import': {
      name: 'Flaky import',
      schedule: { type: 'interval', every: '25s' },
      target: at('/503/300'),
      retry: { maxAttempts: 3, initialDelay: '2s' },
      tags: { team: 'data' },
    },
    'slow-report': {
      name: 'Slow report',
      schedule: { type: 'interval', every: '10s' },
      target: at('/200/24000'),
      overlap: 'skip',
      tags: { team: 'finance' },
    },
    'nightly-warehouse': {
      name: 'Nightly warehouse',
      schedule: { ...CRON, expression: '15 2 * * *' },
      tags: { team: 'data' },
      workflow: { tasks: warehouse(at) },
    },
    'load-orders': {
      name: 'Load orders',
      schedule: { type: 'interval', every: '20s' },
      target: { type: 'worker', queue: 'warehouse' },
      payload: { table: 'orders' },
      tags: { team: 'data' },
    },
    ...(Object.fromEntries(many) as Record<string, object>),
  };
}

/** Tasks of a workflow, one of which fails. */
function warehouse(at: (path: string) => object): Record<string, object> {
  const task = (path: string, dependsOn: unknown[] = []) => ({ target: at(path), dependsOn });
  return {
    'extract-orders': task('/200/900'),
    'extract-users': task('/200/300'),
    'fx-rates': task('/200/100'),
    'check-orders': task('/200/400', ['extract-orders']),
    'load-users': task('/200/1200', ['extract-users']),
    'load-orders': {
      ...task('/503/300', ['check-orders', 'fx-rates']),
      retry: { maxAttempts: 3, initialDelay: '1s' },
      input: { day: '{{ run.day }}' },
    },
    archive: task('/200', [{ task: 'check-orders', if: 'failed' }]),
    'join-marts': task('/200', ['load-orders', 'load-users']),
    'refresh-reports': task('/200', ['join-marts']),
    alarm: { target: at('/200/20'), finally: 'failed' },
  };
}

const headersOf = async (run: LocalRun, scope?: string) => ({
  authorization: `Bearer ${await run.token('alice', scope)}`,
  'content-type': 'application/json',
});

/** Creates the jobs, starts a run, and waits until there is something to see. */
async function seed(run: LocalRun): Promise<void> {
  const headers = await headersOf(run);
  const { port } = target.address() as AddressInfo;
  for (const [jobId, job] of Object.entries(jobs(`http://127.0.0.1:${port}`))) {
    const body = JSON.stringify(job);
    const response = await fetch(`${run.url}/v1/jobs/${jobId}`, { method: 'PUT', headers, body });
    if (!response.ok) throw new Error(`${jobId}: ${response.status} ${await response.text()}`);
  }
  await fetch(`${run.url}/v1/jobs/nightly-warehouse/run`, { method: 'POST', headers, body: '{}' });
  await sleep(SOME_HISTORY_MS);
  await workAtQueue(run.url, await headersOf(run, 'work'), 'warehouse');
}

async function main(): Promise<void> {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const run = await start({ port: 0, dataDir: undefined });
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await seed(run);
    const context = await browser.newContext({
      viewport: { width: Number(options.width), height: 860 },
      timezoneId: 'Europe/Berlin',
      colorScheme: options.scheme === 'dark' ? 'dark' : 'light',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    await page.goto(run.consoleUrl!);
    await page.locator('input[name=user]').fill('alice');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('[data-part=navigation]').waitFor();
    await photograph(page, run.url);
  } finally {
    await browser.close();
    await run.stop();
    target.closeAllConnections();
    target.close();
  }
}

async function photograph(page: Page, url: string): Promise<void> {
  const take = async (name: string): Promise<void> => {
    await page.locator('h1').first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    await page.screenshot({ path: join(options.folder, `${name}.png`) });
  };
  const open = (path: string) => page.goto(`${url}/console${path}`);
  await open('/');
  await take('today');
  await open('/jobs/slow-report');
  await take('job');
  await open('/jobs/invoice-reminder-42/schedule');
  await page.locator('[data-part=preview] input').fill('2027-03-24');
  await page.locator('.clock-note').first().waitFor();
  await take('schedule');
  await open('/jobs/flaky-import?show=failed');
  await page.locator('.ledger tbody a').first().click();
  await page.locator('[data-part=attempts]').waitFor();
  await take('execution');
  await open('/queues');
  await page.locator('[data-part=workers] li').first().waitFor();
  await take('queues');
  await page.locator('[data-part=queue-at-work] a', { hasText: 'Log' }).first().click();
  await page.locator('.log .line').first().waitFor();
  await page.locator('[data-part=log]').scrollIntoViewIfNeeded();
  await take('log');
  await open('/workflows/nightly-warehouse');
  await page.locator('[data-part=runs] thead a').last().click();
  await page.locator('[data-part=gantt]').getByRole('button', { name: 'load-orders' }).click();
  await page.locator('[data-part=task-attempts]').waitFor();
  await take('run');
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
