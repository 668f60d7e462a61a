import type { Command } from 'commander';

import { addBulkFlags, bulkFilterOf, type BulkFlags, selectionText } from '../bulk/bulk-flags';
import { runBulk } from '../bulk/run-bulk';
import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import { CliError, ExitCode } from '../exit-codes';
import { addNote } from '../flag-values';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { addRange, type RangeFlags, rangeOf, rangeText } from '../time-flags';
import { addYes } from './ask';
import { executionText } from './execution-text';

interface CancelFlags extends BulkFlags, RangeFlags {
  yes?: boolean;
  force?: boolean;
}

/** `executions cancel`: one execution, or those of the jobs that a filter selects. */
export function addCancel(executions: Command, run: Run): void {
  addYes(
    addRange(
      addBulkFlags(addNote(executions.command('cancel [jobId] [execId]'))).description(
        'Cancel an execution that is waiting or running, or all those of jobs that flags select.',
      ),
      'with flags that select jobs: due',
    ),
  )
    .option('--force', 'with an execution: cancel the finally tasks of a run too')
    .addHelpText(
      'after',
      `
Without --since and --from, what flags select goes back a week. It is counted, and you confirm the number. An
execution that you name is cancelled at once.

Examples:
  quarterjack executions cancel report 20261201T090000.000Z
  quarterjack executions cancel --tag team:billing --dry-run`,
    )
    .action(
      run(async (context: Context, flags: CancelFlags, jobId?: string, execId?: string) => {
        const filter = bulkFilterOf(flags);
        if ((jobId === undefined) === (filter === undefined))
          throw new CliError('give either an execution, or flags that select jobs, such as --tag or --all');
        const { since, from, to, all, dryRun, force, yes } = flags;
        if (filter && force) throw new CliError('--force is for one execution');
        if (filter) {
          const range = rangeOf({ since, from, to }, context.typedAt());
          return runBulk(context, {
            request: { action: 'cancel', filter: { ...filter, ...range }, all },
            what: 'execution',
            done: 'cancelled',
            dryRun: dryRun === true,
            yes,
            question: (selected) =>
              `Cancel ${selected} of jobs${selectionText(flags, context)}, due ${rangeText(flags, range)}?`,
          });
        }
        if (execId === undefined)
          throw new CliError('the execution is missing: quarterjack executions list JOB');
        if ((since ?? from ?? to) !== undefined || dryRun)
          throw new CliError('--since, --from, --to and --dry-run are for flags that select jobs');
        const client = context.client();
        const id = await execIdOf(client, jobId!, execId);
        const zone = context.json ? undefined : await new JobZones(client).of(jobId!);
        const execution = await client.executions.cancel(jobId!, id, { force });
        context.print(execution, () => executionText(execution, context, zone));
        return ExitCode.ok;
      }),
    );
}
