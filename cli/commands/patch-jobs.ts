import type { Command } from 'commander';

import type { BulkRequest } from '../../client';
import { addBulkFlags, bulkFilterOf, type BulkFlags } from '../bulk/bulk-flags';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { jsonOf } from '../json-argument';
import { CliError } from '../exit-codes';
import { addNote } from '../flag-values';
import { isObject } from '../is-object';
import type { Run } from '../run';

/** `jobs patch`: the same merge patch for everything that a filter selects. */
export function addPatchJobs(jobs: Command, run: Run): void {
  addBulkFlags(addNote(jobs.command('patch <patch>')))
    .description('Change jobs that flags select, by a JSON merge patch.')
    .addHelpText(
      'after',
      `
A field that is left out stays as it is, and null removes it. Each job that the patch does not fit is named.

Examples:
  quarterjack jobs patch '{"priority":"high"}' --tag team:billing --dry-run
  quarterjack jobs patch '{"retry":{"maxAttempts":5},"tags":{"owner":"ann"}}' --target api.example.com`,
    )
    .action(
      run((context: Context, flags: BulkFlags, text: string) => {
        const filter = bulkFilterOf(flags);
        if (!filter) throw new CliError('select jobs with a flag, such as --tag or --all');
        const patch = jsonOf('<patch>', text);
        if (!isObject(patch)) throw new CliError('<patch> must be a JSON object');
        const request = { action: 'patch' as const, filter, all: flags.all, patch };
        return runBulk(context, {
          request: request as BulkRequest,
          what: 'job',
          done: 'changed',
          dryRun: flags.dryRun === true,
        });
      }),
    );
}
