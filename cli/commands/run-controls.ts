import type { Command } from 'commander';

import type { TaskDetail } from '../../client';
import type { Context } from '../context';
import { execIdOf } from '../execution-id';
import { jsonOf } from '../json-argument';
import { addNote } from '../flag-values';
import { JobZones } from '../job-zones';
import type { Run } from '../run';
import { singleLine } from '../terminal/printable';
import { texts } from '../terminal/table';
import { instantText } from '../terminal/times';
import { EXECUTION_COLUMN, executionText } from './execution-text';

const RUN = 'etl 20261201T010000.000Z';

/** `executions pause|resume`: what a user does to a run of a workflow. */
export function addRunControls(executions: Command, run: Run): void {
  for (const action of ['pause', 'resume'] as const)
    addNote(executions.command(`${action} <jobId> <execId>`))
      .description(
        action === 'pause'
          ? 'Pause a run of a workflow: no task of it begins, and what runs goes on.'
          : 'Resume a paused run of a workflow.',
      )
      .addHelpText('after', `\nExamples:\n  quarterjack executions ${action} ${RUN}`)
      .action(
        run(async (context: Context, _flags: object, jobId: string, typed: string) => {
          const client = context.client();
          const execution = await client.runs[action](jobId, await execIdOf(client, jobId, typed));
          const zone = context.json ? undefined : await new JobZones(client).of(jobId);
          context.print(execution, () => executionText(execution, context, zone));
        }),
      );
}

interface DecisionFlags {
  comment?: string;
  output?: string;
}

/** `tasks approve|reject|skip`: what a user decides about a task of a run. */
export function addTaskControls(
  tasks: Command,
  run: Run,
  taskText: (task: TaskDetail, context: Context) => string,
): void {
  for (const action of ['approve', 'reject'] as const)
    addNote(tasks.command(`${action} <jobId> <execId> <taskId>`))
      .description(action === 'approve' ? 'Give an approval.' : 'Refuse an approval: its task fails.')
      .option('--comment <text>', 'why, for the record')
      .option('--output <json>', 'for the tasks after it')
      .addHelpText(
        'after',
        `\nExamples:\n  quarterjack tasks ${action} ${RUN} release --comment "seen by QA"`,
      )
      .action(
        run(async (context: Context, flags: DecisionFlags, jobId: string, typed: string, taskId: string) => {
          const { comment, output } = flags;
          const client = context.client();
          const execId = await execIdOf(client, jobId, typed);
          const task = await client.runs[action](jobId, execId, taskId, {
            ...(comment !== undefined && { comment }),
            ...(output !== undefined && { output: jsonOf('--output', output) }),
          });
          context.print(task, () => taskText(task, context));
        }),
      );
  addNote(tasks.command('skip <jobId> <execId> <taskId>'))
    .description('Let the tasks after a task go on without it.')
    .option('--branch <name>', 'of a switch: the branch that it takes')
    .addHelpText('after', `\nExamples:\n  quarterjack tasks skip ${RUN} load`)
    .action(
      run(
        async (
          context: Context,
          { branch }: { branch?: string },
          jobId: string,
          typed: string,
          taskId: string,
        ) => {
          const client = context.client();
          const execId = await execIdOf(client, jobId, typed);
          const options = branch === undefined ? {} : { branch };
          const task = await client.runs.skip(jobId, execId, taskId, options);
          context.print(task, () => taskText(task, context));
        },
      ),
    );
}

/** `waiting`: what waits until a user acts. */
export function addWaiting(program: Command, run: Run): void {
  program
    .command('waiting')
    .description('List the approvals and the paused runs that wait for a user.')
    .addHelpText('after', '\nExamples:\n  quarterjack waiting')
    .action(
      run(async (context: Context) => {
        const found = await context.client().runs.waiting({ limit: 100 }).toArray();
        const rows = found.map(({ kind, jobId, execId, taskId, since, note }) => [
          kind === 'held' ? 'paused run' : 'approval',
          singleLine(jobId),
          execId,
          taskId ?? '',
          `${instantText(since)}Z`,
          singleLine(note ?? ''),
        ]);
        context.print(found, () =>
          rows.length === 0
            ? 'Nothing waits.\n'
            : context.table(
                ['WHAT', 'JOB', EXECUTION_COLUMN, 'TASK', { head: 'SINCE', spare: 1 }, texts('NOTE')],
                rows,
              ),
        );
      }),
    );
}
