/**
 * Where the processor time of one call goes: `npm run bench:calls -- [--calls 2000] [--rounds 5] [--json]`.
 * Variants of a call of DynamoDB write the same claim to a server that answers at once. Variants of a call of
 * a target differ in TLS and in what they share with earlier calls. All alternate, so that a busy machine
 * slows all of them. Only the time of this process counts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { inParallel } from '../../lambdas/core/async/in-parallel';
import { makeIdentity } from '../support/certificate';
import { machine, machineLine } from '../support/machine';
import { numbersFrom } from '../support/options';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { targetVariantsAt } from './targets';
import { variantsAt } from './variants';

const PARALLEL = 10;
const WARM_UP = 300;

run('bench:calls', async () => {
  const { calls, rounds } = numbersFrom({ calls: 2_000, rounds: 5 });
  const before = machine();
  const { key, cert, ca } = makeIdentity(Date.now());
  const stub = await startStub();
  const secureStub = await startStub({ STUB_TLS: JSON.stringify({ key, cert }) });
  const http = `http://127.0.0.1:${stub.port}`;
  const https = `https://127.0.0.1:${secureStub.port}`;
  const variants = [...variantsAt(http), ...targetVariantsAt({ http, https, ca })];
  const measured = variants.map(({ name, writes }) => ({ name, writes, cpuMs: [] as number[] }));
  for (const { once: call } of variants) await cpuMsOf(call, WARM_UP);
  for (let round = 0; round < rounds; round++) {
    for (const [index, { once: call, writes }] of variants.entries()) {
      const times = Math.ceil(calls / writes);
      measured[index]!.cpuMs.push((await cpuMsOf(call, times)) / (times * writes));
    }
  }
  for (const { child } of [stub, secureStub]) child.disconnect();
  const { load } = machine();
  const results = measured.map(({ name, cpuMs }) => ({ name, ...spreadOf(cpuMs) }));
  if (wantsJson()) printJson({ machine: before, loadAfter: load, results });
  else report(results, `${machineLine(before)}; load ${load} at the end`);
  process.exit(); // the clients keep their sockets
});

async function startStub(variables = {}): Promise<{ child: ChildProcess; port: number }> {
  const env = { ...process.env, ...variables };
  const child = fork(join(__dirname, 'stub.mjs'), ['{}'], { execArgv: [], env });
  const [port] = (await once(child, 'message')) as [number];
  return { child, port };
}

function report(results: readonly ({ name: string } & Spread)[], measured: string): void {
  say(`${measured}\n`);
  const cells = results.map(({ name, median, min, max }) => [
    name,
    ...[median, min, max].map((ms) => ms.toFixed(3)),
  ]);
  say(table(['for each write, or call of a target', 'CPU ms, median', 'min', 'max'], cells));
}

async function cpuMsOf(call: () => Promise<unknown>, times: number): Promise<number> {
  const start = process.cpuUsage();
  await inParallel(Array.from({ length: times }), PARALLEL, async () => {
    await call();
  });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

interface Spread {
  median: number;
  min: number;
  max: number;
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)]!, min: sorted[0]!, max: sorted.at(-1)! };
}
