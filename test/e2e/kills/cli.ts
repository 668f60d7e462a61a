import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Command } from 'commander';

import { count, print } from '../../support/command-line';
import { killRounds } from './kill-rounds';

async function main({ rounds, seed, data }: { rounds: number; seed: number; data?: string }): Promise<void> {
  const dataDir = data ?? mkdtempSync(join(tmpdir(), 'quarterjack-kills-'));
  try {
    const { broken, ...counts } = await killRounds({ rounds, seed, dataDir, onRound: print });
    for (const finding of broken) print(`BROKEN ${finding}`);
    print(
      Object.entries(counts)
        .map(([name, value]) => `${name} ${value}`)
        .join(', '),
    );
    print(`${rounds} rounds, ${broken.length} findings`);
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    if (data === undefined) rmSync(dataDir, { recursive: true });
  }
}

new Command('kill')
  .description('Kills workers and the whole local run at random under load, and checks the promises')
  .option('--rounds <count>', 'how many kills', count, 50)
  .option('--seed <seed>', 'decides what is killed and what is registered', count, 1)
  .option('--data <dir>', 'where the run keeps its tables and logs; they are not deleted')
  .action(main)
  .parseAsync()
  .catch((error: unknown) => {
    process.stderr.write(`kill: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  });
