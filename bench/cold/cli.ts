/**
 * Measures what a new execution environment loads, and how long that takes: `npm run bench:cold -- [--json]`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { STAGES } from '../cost/usage';
import { type StageFunction, synthesized } from '../support/functions';
import { machine, machineLine } from '../support/machine';
import { printJson, run, say, table, wantsJson } from '../support/output';
import { MAX_FIRST_VERIFICATION_MS, measureFirstVerification } from './first-verification';
import { median } from '../support/percentiles';

const ROUNDS = 9;
const MAX_BUNDLE_BYTES = 1_000_000;
const MAX_INIT_MS = 150;
/** A function calls nothing while it starts, so nothing listens here. */
const NO_AWS = 'http://127.0.0.1:9';

interface Figures {
  /** All files of the function, including those that it loads only when it needs them. */
  bundleBytes: number;
  gzipBytes: number;
  /** Median and minimum of `ROUNDS` fresh processes, without the start of Node.js itself. */
  initMs: number;
  leastInitMs: number;
}

function initMsOf({ bundle, variables }: StageFunction): number {
  const output = execFileSync(process.execPath, [join(__dirname, 'init.mjs'), bundle], {
    env: variables,
    encoding: 'utf8',
  });
  return Number(output);
}

function measure(stageFunction: StageFunction): Figures {
  initMsOf(stageFunction); // brings the file into the page cache
  const initMs = Array.from({ length: ROUNDS }, () => initMsOf(stageFunction));
  const folder = dirname(stageFunction.bundle);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
  return {
    bundleBytes: files.reduce((sum, file) => sum + file.length, 0),
    gzipBytes: files.reduce((sum, file) => sum + gzipSync(file).length, 0),
    initMs: Math.round(median(initMs)),
    leastInitMs: Math.round(Math.min(...initMs)),
  };
}

run('bench:cold', async () => {
  const { functions } = await synthesized(NO_AWS);
  const before = machine();
  const figures = Object.fromEntries(STAGES.map((stage) => [stage, measure(functions[stage])]));
  const first = await measureFirstVerification(functions.authorizer);
  if (wantsJson()) {
    printJson({
      machine: before,
      limits: {
        bundleBytes: MAX_BUNDLE_BYTES,
        initMs: MAX_INIT_MS,
        firstVerificationMs: MAX_FIRST_VERIFICATION_MS,
      },
      functions: figures,
      authorizer: first,
    });
    return;
  }
  say(`${machineLine(before)}\n`);
  say(
    table(
      ['function', 'bundle kB', 'gzip kB', 'init ms, median', 'least', 'within 1 MB and 150 ms'],
      Object.entries(figures).map(([stage, { bundleBytes, gzipBytes, initMs, leastInitMs }]) => [
        stage,
        Math.round(bundleBytes / 1_000),
        Math.round(gzipBytes / 1_000),
        initMs,
        leastInitMs,
        bundleBytes < MAX_BUNDLE_BYTES && initMs < MAX_INIT_MS ? 'yes' : 'no',
      ]),
    ),
  );
  const { firstVerificationMs, leastFirstVerificationMs } = first;
  say(
    `\nauthorizer, import and first verification: median ${firstVerificationMs} ms, least ` +
      `${leastFirstVerificationMs} ms; within ${MAX_FIRST_VERIFICATION_MS} ms: ` +
      (firstVerificationMs < MAX_FIRST_VERIFICATION_MS ? 'yes' : 'no'),
  );
});
