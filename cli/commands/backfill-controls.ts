import type { Command } from 'commander';

import type { Execution, Quarterjack } from '../../client';
import type { Context } from '../context';
import { backfillIdOf } from '../execution-id';
import { addNote } from '../flag-values';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { backfillText } from './backfill-text';

interface Control {
  name: 'pause' | 'resume' | 'cancel' | 'retry';
  description: string;
  act(client: Quarterjack, jobId: string, execId: string): Promise<Execution>;
}

const CONTROLS: readonly Control[] = [
  {
    name: 'pause',
    description: 'Pause a backfill: no further date begins, and what runs goes on.',
    act: ({ runs }, jobId, execId) => runs.pause(jobId, execId),
  },
  {
    name: 'resume',
    description: 'Resume a paused backfill.',
    act: ({ runs }, jobId, execId) => runs.resume(jobId, execId),
  },
  {
    name: 'cancel',
    description: 'Cancel a backfill: no further date begins, and what runs is cancelled.',
    act: ({ executions }, jobId, execId) => executions.cancel(jobId, execId),
  },
  {
    name: 'retry',
    description:
      'Run the dates of an ended backfill again that have failed, were cancelled or did not begin.',
    act: ({ executions }, jobId, execId) => executions.retry(jobId, execId),
  },
];

/** `backfills pause|resume|cancel|retry`: the calls of its run. */
export function addBackfillControls(backfills: Command, run: Run, example: string): void {
  for (const { name, description, act } of CONTROLS)
    addNote(backfills.command(`${name} <jobId> <execId>`))
      .description(description)
      .addHelpText('after', `\nExamples:\n  quarterjack backfills ${name} ${example}`)
      .action(
        run(async (context: Context, _flags: object, jobId: string, typed: string) => {
          const client = context.client();
          const execId = await backfillIdOf(client, jobId, typed);
          await act(client, jobId, execId);
          const backfill = await client.backfills.get(jobId, execId);
          const zone = context.json ? undefined : await new JobZones(client).of(jobId);
          context.print(backfill, () => backfillText(backfill, context, zone));
        }),
      );
}
