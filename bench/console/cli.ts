/**
 * Measures the console in a browser against an API that answers at once: `npm run bench:console -- [--jobs N]
 * [--tasks N] [--json]`. Needs Chromium, at `QUARTERJACK_CHROMIUM` or `/usr/bin/chromium`.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { type Browser, chromium } from 'playwright-core';

import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { firstVisit, type FirstVisit } from './first-visit';
import { type LongList, longList } from './long-list';
import { madeUpApi } from './made-up-api';
import { FIRST_DATA, type SlowVisit, slowVisit } from './slow-visit';

const CHROMIUM = process.env.QUARTERJACK_CHROMIUM ?? '/usr/bin/chromium';
/** Bounds of what a list may do; the benchmark fails beyond them. */
const MAX_ROWS = 60;
const MAX_BLANK_STEPS = 0;

/** As a busy API over a mobile line. */
const SLOW_MS = 300;

interface Figures {
  slow: SlowVisit[];
  visits: FirstVisit[];
  lists: LongList[];
}

async function figuresOf(
  browser: Browser,
  url: string,
  jobs: number,
  tasks: number,
): Promise<Omit<Figures, 'slow'>> {
  const runPath = '/jobs/etl/executions/e0';
  const visits: FirstVisit[] = [];
  for (const path of ['/', '/jobs', runPath]) {
    note(`console: a first visit of ${path}`);
    visits.push(await firstVisit(browser, url, path));
  }
  const lists: LongList[] = [];
  for (const list of [
    { path: '/jobs', rows: '.jobs tbody tr:not(.undrawn)', items: jobs },
    { path: runPath, rows: '.gantt tbody tr:not(.undrawn)', items: tasks },
  ]) {
    note(`console: ${list.path} with ${list.items} rows`);
    lists.push(await longList(browser, url, list));
  }
  return { visits, lists };
}

/** Pages of a busy day, while each answer of the API takes 300 ms. */
async function slowVisits(browser: Browser): Promise<SlowVisit[]> {
  const api = await madeUpApi({ jobs: 291, tasks: 43 }, SLOW_MS);
  const slow: SlowVisit[] = [];
  for (const path of Object.keys(FIRST_DATA) as (keyof typeof FIRST_DATA)[]) {
    note(`console: ${path} with an API that takes ${SLOW_MS} ms`);
    slow.push(await slowVisit(browser, api, path));
  }
  await api.stop();
  return slow;
}

async function main(): Promise<void> {
  const sizes = numbersFrom({ jobs: 10_000, tasks: 500 });
  execFileSync(process.execPath, [join(__dirname, '../../scripts/build-console.mjs')]);
  const api = await madeUpApi(sizes);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--enable-precise-memory-info'],
  });
  try {
    const slow = await slowVisits(browser);
    report({ slow, ...(await figuresOf(browser, api.url, sizes.jobs, sizes.tasks)) });
  } finally {
    await browser.close();
    await api.stop();
  }
}

function report({ slow, visits, lists }: Figures): void {
  if (wantsJson()) printJson({ machine: machine(), slow, visits, lists });
  else {
    say(machineLine(machine()));
    say(
      table(
        [
          `API of ${SLOW_MS} ms`,
          'requests',
          'kB of JSON',
          'trips to first data',
          'to all',
          'first data ms',
          'whole ms',
        ],
        slow.map((one) => [
          one.path,
          one.requests,
          one.kB,
          one.firstTrips,
          one.wholeTrips,
          one.firstMs,
          one.wholeMs,
        ]),
      ),
    );
    say();
    say(
      table(
        ['first visit', 'LCP ms', 'shift', 'requests', 'kB'],
        visits.map((one) => [one.path, one.lcpMs, one.shift, one.requests, one.kB]),
      ),
    );
    say();
    const heads = ['rows', 'in page', 'blank', 'script ms', 'slow frames', 'longest task ms', 'heap MB'];
    say(
      table(
        ['list', ...heads, 'requests'],
        lists.map((one) => [
          one.path,
          one.items,
          one.mostRows,
          one.blankSteps,
          one.scriptMsAStep,
          one.slowFrames,
          one.longestTaskMs,
          one.heapMB,
          one.requests,
        ]),
      ),
    );
  }
  for (const { path, items, known, mostRows, blankSteps } of lists)
    if (known !== items || mostRows > MAX_ROWS || blankSteps > MAX_BLANK_STEPS)
      throw new Error(
        `${path}: ${known} of ${items} rows, ${mostRows} in the page, ${blankSteps} blank steps`,
      );
}

run('console', main);
