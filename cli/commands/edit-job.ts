import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stringify } from 'yaml';

import type { Job, JobChanges, JobDefinition } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { isObject } from '../is-object';
import { parseDefinition } from '../read-definition';
import { definitionOf } from '../schedules-as-code/definition';
import { warnOfUnknownHosts } from '../unknown-hosts';
import { jobText } from './job-text';

/** Changes a job: by a merge patch if there are `changes`, else in the user's editor. */
export async function editJob(
  context: Context,
  jobId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const { jobs } = context.client();
  if (Object.keys(changes).length > 0) {
    const before = await jobs.get(jobId);
    const schedule = 'schedule' in changes ? editedSchedule(changes.schedule, before.schedule) : undefined;
    const patch = schedule ? { ...changes, schedule: schedule.patch } : changes;
    const job = await jobs.patch(jobId, patch as JobChanges, { ifMatch: before.etag });
    if (schedule && schedule.dropped.length > 0)
      context.say(
        `The new schedule has another type. Dropped from the old one: ${schedule.dropped.join(', ')}.`,
      );
    await changed(context, job);
    return;
  }
  const before = await jobs.get(jobId);
  const definition = definitionOf(before);
  const edited = await inEditor(
    context,
    `# ${jobId}: save and close to change the job. Close it unchanged to leave the job as it is.\n`,
    definition,
  );
  if (!edited) {
    context.say('Nothing was changed.');
    return;
  }
  const job = await jobs.put(jobId, edited as unknown as JobDefinition, { ifMatch: before.etag });
  await changed(context, job);
}

async function changed(context: Context, job: Job): Promise<void> {
  context.print(job, () => `Changed ${job.jobId}.\n\n${jobText(job, context)}`);
  await warnOfUnknownHosts(context, job);
}

async function inEditor(
  { io }: Context,
  head: string,
  definition: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!editor) throw new CliError('no editor: set VISUAL or EDITOR, or use flags to say what to change');
  const directory = mkdtempSync(join(tmpdir(), 'quarterjack-'));
  const file = join(directory, 'job.yaml');
  const text = head + stringify(definition);
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await run(editor, file);
    const edited = readFileSync(file, 'utf8');
    return edited === text ? undefined : parseDefinition(edited, file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Runs the editor in a shell, since its command may have arguments: `code --wait`. */
const run = (editor: string, file: string): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0
        ? done()
        : fail(new CliError(`${editor} exited with code ${code}; nothing was changed`, ExitCode.failed)),
    );
  });

type Fields = Record<string, unknown>;

interface EditedSchedule {
  /** The value of `schedule` in a merge patch. */
  patch: unknown;
  /** Fields of the old schedule that the new one does not have, such as its time zone. */
  dropped: string[];
}

/** Fields that say when a schedule fires. A schedule of another type has others in their place. */
const CORE = new Set(['type', 'expression', 'every', 'at', 'delay', 'jobs', 'name']);
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The merge patch that turns the schedule `old` into the one that a user typed.
 *
 * If both have the same type, the typed fields are merged into the old ones, and null removes a field. A
 * schedule without a type has only such fields. A schedule of another type replaces the old one.
 */
function editedSchedule(typed: unknown, old: unknown): EditedSchedule {
  if (!isObject(old)) return { patch: typed, dropped: [] };
  if (!isObject(typed)) return { patch: typed, dropped: extrasOf(old) };
  if (typed.type === undefined || typed.type === old.type) return { patch: merged(typed), dropped: [] };
  const removed = Object.fromEntries(Object.keys(old).map((key) => [key, null]));
  return { patch: { ...removed, ...typed }, dropped: extrasOf(old).filter((key) => !(key in typed)) };
}

/** An instant with an offset excludes a time zone, so the old one goes. */
const merged = (typed: Fields): Fields =>
  typeof typed.at === 'string' && OFFSET.test(typed.at) ? { timezone: null, ...typed } : typed;

const extrasOf = (schedule: Fields): string[] => Object.keys(schedule).filter((key) => !CORE.has(key));
