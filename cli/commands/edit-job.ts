import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { stringify } from 'yaml';

import type { JobChanges, JobDefinition, JobWithEtag } from '../../client';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { parseDefinition } from '../read-definition';
import { definitionOf } from '../schedules-as-code/definition';
import { jobText } from './job-text';

/** By a merge patch where flags say what to change, else in an editor. */
export async function editJob(
  context: Context,
  jobId: string,
  changes: Record<string, unknown>,
): Promise<void> {
  const { jobs } = context.client();
  if (Object.keys(changes).length > 0) {
    // A schedule of another kind takes the place of the old one; merged, it would keep fields that are not its own.
    const before = await jobs.get(jobId);
    const job = await jobs.patch(jobId, withWholeSchedule(changes, before) as JobChanges, {
      ifMatch: before.etag,
    });
    context.print(job, () => `Changed ${jobId}.\n\n${jobText(job, context)}`);
    return;
  }
  const before = await jobs.get(jobId);
  const definition = definitionOf(before);
  const edited = await inEditor(
    context,
    `# ${jobId}: save and close to change it; leave it as it is to do nothing.\n`,
    definition,
  );
  if (!edited) {
    context.say('Nothing was changed.');
    return;
  }
  const job = await jobs.put(jobId, edited as unknown as JobDefinition, { ifMatch: before.etag });
  context.print(job, () => `Changed ${jobId}.\n\n${jobText(job, context)}`);
}

/** Null removes a field of the old schedule that the new one does not have; a zone alone is merged into the old one. */
function withWholeSchedule(changes: Record<string, unknown>, before: JobWithEtag): Record<string, unknown> {
  const { schedule } = changes;
  const old = before.schedule as unknown;
  if (typeof schedule !== 'object' || schedule === null || typeof old !== 'object' || old === null)
    return changes;
  if (!('type' in schedule)) return changes;
  const gone = Object.fromEntries(Object.keys(old).map((key) => [key, null]));
  return { ...changes, schedule: { ...gone, ...schedule } };
}

async function inEditor(
  { io }: Context,
  head: string,
  definition: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const editor = io.env.VISUAL || io.env.EDITOR;
  if (!editor) throw new CliError('no editor: set VISUAL or EDITOR, or say what to change by flags');
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

/** As a shell would, for an editor may have arguments: `code --wait`. */
const run = (editor: string, file: string): Promise<void> =>
  new Promise((done, fail) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0
        ? done()
        : fail(new CliError(`${editor} ended with ${code}; nothing was changed`, ExitCode.failed)),
    );
  });
