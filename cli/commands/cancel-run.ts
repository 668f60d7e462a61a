import type { Command } from 'commander';

import type { CancelledRun } from '../../client';
import type { Context } from '../context';
import { ExitCode } from '../exit-codes';
import { addNote } from '../flag-values';
import type { Run } from '../run';
import { plain } from '../terminal/table';

type Outcome = CancelledRun['outcome'];

const TEXTS: Readonly<Record<Outcome, string>> = {
  cancelled: 'is cancelled',
  'cancel-requested': 'has begun: it ends at its next heartbeat, unless it succeeds before',
  ended: 'has ended already',
  unknown: 'is no run that is known',
};

const EXIT_CODES: Readonly<Record<Outcome, ExitCode>> = {
  cancelled: ExitCode.ok,
  'cancel-requested': ExitCode.ok,
  ended: ExitCode.conflict,
  unknown: ExitCode.notFound,
};

/** `jobs cancel`: the run of a job that has a key. */
export function addCancelRun(jobs: Command, run: Run): void {
  addNote(jobs.command('cancel <jobId>'))
    .description('Cancel the run of a job that has a key.')
    .requiredOption('--key <text>', 'the key under which the run was asked for')
    .addHelpText(
      'after',
      `
Exit codes: 0 if it is or will be cancelled, 5 if no run has the key, 6 if it has ended.

Examples:
  quarterjack jobs cancel remind --key unpaid-42`,
    )
    .action(
      run(async (context: Context, { key }: { key: string }, jobId: string) => {
        const cancelled = await context.client().jobs.cancelRun(jobId, key);
        const { outcome, execId } = cancelled;
        context.print(cancelled, () => `${plain(execId ?? key)} ${TEXTS[outcome]}.\n`);
        return EXIT_CODES[outcome];
      }),
    );
}
