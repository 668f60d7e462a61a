import type { Command } from 'commander';

import type { NotificationDefinition } from '../../client';
import { suggestedZone } from '../../client/ics/named-zones';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { addNote } from '../flag-values';
import { checkImported, checkImportedIfPossible } from '../import/check-imported';
import type { Import, ImportedNotification } from '../import/imported';
import { importFile, importJson, importText } from '../import/report';
import { workCommandOf } from '../import/work-command';
import { writePrivateFile } from '../private-file';
import type { FileJob } from '../schedules-as-code/jobs-file';
import type { FileNotification } from '../schedules-as-code/notification-plan';
import { planAndApply } from './apply';
import { addYes } from './ask';

/** The flags of every import. */
export interface ImportFlags {
  out?: string;
  apply?: boolean;
  yes?: boolean;
}

export const commonOptions = (command: Command): Command =>
  addYes(
    addNote(command)
      .option('--out <file>', 'write the jobs to a file for quarterjack plan and apply')
      .option('--apply', 'create the jobs'),
  );

const QUEUE = /^[A-Za-z0-9._-]{1,64}$/;

export function checkQueue(queue: string): void {
  if (!QUEUE.test(queue))
    throw new CliError(
      `--queue is ${JSON.stringify(queue)}; expected 1 to 64 letters, digits or characters of "._-"`,
    );
}

/** Throws a `CliError` if this machine does not know the time zone. */
export function checkTimezone(timezone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch (cause) {
    const meant = suggestedZone(timezone);
    const help =
      meant === undefined ? 'expected an IANA time zone such as Europe/Berlin' : `did you mean "${meant}"?`;
    throw new CliError(`--timezone is ${JSON.stringify(timezone)}; ${help}`, undefined, { cause });
  }
}

/** Shows what was found, then writes the file or creates the jobs. 1 if something cannot be imported. */
export async function finish(
  context: Context,
  found: Import,
  { out, apply, yes }: ImportFlags,
  sayMore: (checked: Import) => void = () => undefined,
): Promise<ExitCode> {
  if (out !== undefined && apply) throw new CliError('use either --out or --apply, not both');
  const checked = await checkedByApi(context, found, { toEdit: out !== undefined, mustAsk: apply === true });
  const isEmpty = checked.jobs.length + (checked.notifications ?? []).length === 0;
  // Imported jobs may contain credentials.
  if (out !== undefined && !isEmpty) writePrivateFile(out, importFile(checked));
  // With --apply and --json, the outcomes are the only JSON document on stdout.
  if (!(apply && context.json)) context.print(importJson(checked), () => importText(checked, context.style));
  if (out !== undefined)
    context.say(
      isEmpty ? `Wrote no file: no job can be imported.` : `Wrote ${checked.jobs.length} jobs to ${out}.`,
    );
  if (apply && !isEmpty) {
    const content = {
      jobs: checked.jobs.map(fileJobOf),
      calendars: [],
      notifications: (checked.notifications ?? []).map(fileNotificationOf),
    };
    const code = await planAndApply(context, content, { yes });
    if (code !== ExitCode.ok) return code;
  } else if (out === undefined && checked.jobs.length > 0) {
    context.say(
      'No jobs were created. Use --apply to create them, or --out FILE to write a file for plan and apply.',
    );
  }
  sayMore(checked);
  return checked.refused.length > 0 ? ExitCode.failed : ExitCode.ok;
}

const fileNotificationOf = ({ id, definition, source }: ImportedNotification): FileNotification => ({
  id,
  definition: definition as NotificationDefinition,
  where: () => source,
});

/** Without `mustAsk`, an API that cannot be asked is no error: an import can be shown without one. */
async function checkedByApi(
  context: Context,
  found: Import,
  { toEdit, mustAsk }: { toEdit: boolean; mustAsk: boolean },
): Promise<Import> {
  if (mustAsk) return checkImported(context.client(), found, { toEdit });
  const { unchecked, ...checked } = await checkImportedIfPossible(() => context.client(), found, { toEdit });
  if (unchecked !== undefined && found.jobs.length > 0)
    context.say(`No API has checked these jobs, and it may reject some: ${unchecked}`);
  return checked;
}

const fileJobOf = ({ jobId, paused, definition, source }: Import['jobs'][number]): FileJob => ({
  jobId,
  paused,
  definition,
  where: () => source,
});

/** How to run the commands of imported jobs. Says nothing if no job has one. */
export function sayWorkCommand(context: Context, { jobs }: Import, queue: string): void {
  const command = workCommandOf(jobs, queue);
  if (command !== undefined)
    context.say(`To run the commands, with an API key of the role worker, on their machine:\n${command}`);
}
