/**
 * Seconds from `npm start` to its first line, and to the line that it listens. Bundles and template are from
 * an earlier start. The data directory has as many jobs as asked for.
 *
 * `npm run bench:start -- [--runs 5] [--jobs 0] [--json]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSystem } from '../../test/support/local-run';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';
import { median } from '../support/percentiles';
import { fillWithJobs } from './fill';

const LISTENS = 'Quarterjack listens on';
/** `npm` itself prints lines of this kind. */
const BY_NPM = '>';

/** Milliseconds since `npm start`. */
interface Start {
  firstLineMs: number;
  readyMs: number;
}

interface Starts {
  machine: Machine;
  loadAfter: number;
  jobs: number;
  starts: Start[];
}

run('bench:start', async () => {
  const { runs, jobs } = numbersFrom({ runs: 5, jobs: 0 });
  if (runs < 1) throw new Error(`--runs is ${runs}; expected at least 1`);
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-start-'));
  try {
    const system = await startSystem('--port', '0', '--data', dataDir);
    await fillWithJobs(system, jobs);
    await system.end();
    if (jobs > 0) note(`${jobs} jobs in the data directory`);
    const before = machine();
    const starts: Start[] = [];
    for (let index = 0; index < runs; index++) starts.push(await startOnce(dataDir));
    const result = { machine: before, loadAfter: machine().load, jobs, starts };
    if (wantsJson()) printJson(result);
    else report(result);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

async function startOnce(dataDir: string): Promise<Start> {
  const startedMs = performance.now();
  // A group of its own: a signal has to reach what npm runs.
  const child = spawn('npm', ['start', '--', '--port', '0', '--data', dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    return await linesOf(child, () => performance.now() - startedMs);
  } finally {
    const closed = once(child, 'close');
    if (child.exitCode === null) {
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
    }
  }
}

const linesOf = (child: ChildProcess, sinceMs: () => number): Promise<Start> =>
  new Promise((resolve, reject) => {
    let output = '';
    let firstLineMs: number | undefined;
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.split('\n').some((line) => line.trim() !== '' && !line.startsWith(BY_NPM)))
        firstLineMs ??= sinceMs();
      if (output.includes(LISTENS)) resolve({ firstLineMs: firstLineMs!, readyMs: sinceMs() });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)));
  });

function report({ machine: before, loadAfter, jobs, starts }: Starts): void {
  say(`${machineLine(before)}; load ${loadAfter} at the end\n`);
  const row = (what: string, values: number[]) => [
    what,
    ...[median(values), Math.min(...values), Math.max(...values)].map((ms) => (ms / 1_000).toFixed(2)),
  ];
  say(
    table(
      [`${starts.length} starts with ${jobs} jobs: s until`, 'median', 'min', 'max'],
      [
        row(
          'the first line',
          starts.map(({ firstLineMs }) => firstLineMs),
        ),
        row(
          'it listens',
          starts.map(({ readyMs }) => readyMs),
        ),
      ],
    ),
  );
}
