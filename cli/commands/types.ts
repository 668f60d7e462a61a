import { writeFileSync } from 'node:fs';

import type { Command } from 'commander';

import type { Job } from '../../client';
import type { Context } from '../context';
import { payloadTypes } from '../payload-types';
import type { Run } from '../run';

export function addTypesCommand(program: Command, run: Run): void {
  program
    .command('types')
    .description('Print TypeScript types of the payloads of all jobs, by their schemas.')
    .option('--out <file>', 'write them to a file')
    .addHelpText(
      'after',
      `
A job without a payload schema takes anything.

Examples:
  quarterjack types --out src/jobs.d.ts`,
    )
    .action(
      run(async (context: Context, { out }: { out?: string }) => {
        const jobs: Job[] = [];
        for await (const job of context.client().jobs.list()) jobs.push(job);
        const text = payloadTypes(jobs);
        if (out === undefined) context.io.stdout.write(text);
        else writeFileSync(out, text);
      }),
    );
}
