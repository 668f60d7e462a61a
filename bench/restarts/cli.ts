/**
 * Restarts a local run again and again, by `kill -9` and by Ctrl-C in turn. Measures the gaps between the
 * deliveries of a job that is due every 20 s.
 *
 * `npm run bench:restarts -- [--minutes 10] [--every 60] [--json]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type RunningSystem, startSystem } from '../../test/support/local-run';
import { listenOnLoopback } from '../../test/support/loopback-server';
import { clientOf } from '../support/client';
import { type Machine, machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { note, printJson, run, say, table, wantsJson } from '../support/output';

const SIGNALS = ['SIGKILL', 'SIGINT'] as const;
const JOB_EVERY = '20s';
/** The promise of a local run: docs/troubleshooting.md. */
const MOST_BETWEEN_MS = 35_000;

/** Milliseconds since the job was made. */
interface Restart {
  signal: (typeof SIGNALS)[number];
  killedMs: number;
  readyMs: number;
  /** The first delivery after it. */
  deliveredMs?: number;
}

interface Restarts {
  machine: Machine;
  loadAfter: number;
  deliveriesMs: number[];
  restarts: Restart[];
  longestMs: number;
}

run('bench:restarts', async () => {
  const { minutes, every } = numbersFrom({ minutes: 10, every: 60 });
  const before = machine();
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-restarts-'));
  const deliveries: number[] = [];
  const target = await listenOnLoopback((_, response) => {
    deliveries.push(performance.now());
    response.end();
  });
  let system: RunningSystem | undefined;
  try {
    system = await startSystem('--port', '0', '--data', dataDir);
    const call = await clientOf(system, 'bench');
    await call('POST', '/v1/jobs', {
      schedule: { type: 'interval', every: JOB_EVERY },
      target: { type: 'http', url: target.url },
    });
    const startMs = performance.now();
    const sinceStart = () => performance.now() - startMs;
    const restarts: Restart[] = [];
    for (let at = 0; at < Math.floor((minutes * 60) / every); at++) {
      await sleep(startMs + (at + 1) * every * 1_000 - performance.now());
      const signal = SIGNALS[at % SIGNALS.length]!;
      const killedMs = sinceStart();
      await system.end(signal);
      system = await startSystem('--port', '0', '--data', dataDir);
      restarts.push({ signal, killedMs, readyMs: sinceStart() });
      note(`${signal} after ${Math.round(killedMs / 1_000)} s; ${deliveries.length} deliveries so far`);
    }
    await sleep(every * 1_000);
    const result = resultOf(
      deliveries.map((ms) => ms - startMs),
      restarts,
      sinceStart(),
    );
    const measured: Restarts = { machine: before, loadAfter: machine().load, ...result };
    if (wantsJson()) printJson(measured);
    else report(measured);
    if (measured.longestMs > MOST_BETWEEN_MS) process.exitCode = 1;
  } finally {
    await system?.end('SIGKILL');
    target.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});

function resultOf(deliveriesMs: number[], restarts: readonly Restart[], endMs: number) {
  const times = [...deliveriesMs, endMs];
  const between = times.map((ms, at) => ms - (times[at - 1] ?? 0));
  const delivered = restarts.map((restart) => {
    const deliveredMs = deliveriesMs.find((ms) => ms > restart.readyMs);
    return { ...restart, ...(deliveredMs !== undefined && { deliveredMs }) };
  });
  return { deliveriesMs, restarts: delivered, longestMs: Math.max(...between) };
}

function report({ machine: before, loadAfter, deliveriesMs, restarts, longestMs }: Restarts): void {
  const seconds = (ms: number | undefined): string => (ms === undefined ? 'none' : (ms / 1_000).toFixed(1));
  say(`${machineLine(before)}; load ${loadAfter} at the end\n`);
  say(
    table(
      ['restart', 'signal', 's until it listens', 's until a delivery'],
      restarts.map(({ signal, killedMs, readyMs, deliveredMs }, at) => [
        String(at + 1),
        signal,
        seconds(readyMs - killedMs),
        seconds(deliveredMs === undefined ? undefined : deliveredMs - killedMs),
      ]),
    ),
  );
  const limit = MOST_BETWEEN_MS / 1_000;
  say(`\n${deliveriesMs.length} deliveries; the longest gap is ${seconds(longestMs)} s, at most ${limit} s`);
}
