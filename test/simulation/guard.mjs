/**
 * `npm run simulate:guard`: plays seeds of every mode and profile of the simulation, with faults and calm. It
 * keeps their hashes in a file, or compares them with those of the file.
 */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { Command, InvalidArgumentError } from 'commander';

import { V8_FLAGS } from '../support/v8-flags.cjs';

const MAIN = fileURLToPath(new URL('main.mjs', import.meta.url));
const HASH = /^([a-z-]+ \d+) ([0-9a-f]{64})$/;

/** The hashes by the name of a seed, and the kinds of seeds that break an invariant. */
async function play(args, prefix) {
  const child = spawn(process.execPath, [...V8_FLAGS, MAIN, ...args, '--hashes', '--keep-going'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => (said += chunk));
  await new Promise((done, fail) => child.once('error', fail).once('close', done));
  const lines = said.trim().split('\n');
  const hashes = lines.flatMap((line) => {
    const [, seed, hash] = HASH.exec(line) ?? [];
    return seed === undefined ? [] : [[`${prefix} ${seed}`, hash]];
  });
  const broken = lines.filter((line) => /\d+ broken/.test(line));
  return { hashes, broken };
}

/** Hashes of 20 seeds of safety and 10 of liveness for each seed of a profile. */
async function playAll(seeds) {
  const modes = ['--play', `safety:1-${20 * seeds}`, `liveness:1001-${1000 + 10 * seeds}`];
  const profiles = ['--profile', 'all', '--seeds', String(seeds)];
  const hashes = new Map();
  const broken = [];
  for (const isCalm of [true, false]) {
    const prefix = isCalm ? 'calm' : 'drawn';
    const how = isCalm ? ['--calm'] : [];
    for (const played of await Promise.all(
      [modes, profiles].map((args) => play([...args, ...how], prefix)),
    )) {
      for (const [seed, hash] of played.hashes) hashes.set(seed, hash);
      broken.push(...played.broken.map((line) => `${prefix}: ${line}`));
    }
  }
  return { hashes, broken };
}

const print = (line) => process.stdout.write(`${line}\n`);
const textOf = (hashes) => [...hashes].map(([seed, hash]) => `${seed} ${hash}\n`).join('');

/** The seeds of `hashes` that a file has with another hash, or does not have. */
function different(hashes, file) {
  const kept = new Map(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
  return [...hashes].filter(([seed, hash]) => kept.get(seed) !== hash).map(([seed]) => seed);
}

async function main({ save, compare, seeds }) {
  if ((save === undefined) === (compare === undefined)) throw new Error('name --save FILE or --compare FILE');
  const { hashes, broken } = await playAll(seeds);
  for (const line of broken) print(line);
  if (save !== undefined) writeFileSync(save, textOf(hashes));
  const changed = compare === undefined ? [] : different(hashes, compare);
  for (const seed of changed) print(`differs: ${seed}`);
  print(`${hashes.size} seeds, ${changed.length} differ, ${broken.length} kinds of them broken`);
  if (changed.length > 0 || broken.length > 0) process.exitCode = 1;
}

const count = (text) => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('must be a whole number from 1 to 9999');
  return Number(text);
};

await new Command('guard')
  .description('Proves that a refactoring changes nothing: equal behaviour gives equal hashes')
  .option('--save <file>', 'keeps the hashes of the code as it is')
  .option('--compare <file>', 'names each seed whose hash is not the one in the file')
  .option(
    '--seeds <count>',
    'seeds of each profile; of safety 20 times as many, of liveness 10 times',
    count,
    10,
  )
  .action(main)
  .parseAsync();
