import { writeFileSync } from 'node:fs';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError } from '../exit-codes';
import { collect } from '../flag-values';
import { checkDeterministic } from '../jobs-in-code/check-deterministic';
import { runReader } from '../jobs-in-code/child';
import { type Manifest, manifestOf, manifestText, sourceOfPackage } from '../jobs-in-code/manifest';
import { moduleAt, READ_COMMAND, readJobs } from '../jobs-in-code/read-jobs';
import type { Reader } from '../jobs-in-code/reading';
import { readEnvFile } from '../schedules-as-code/variables';
import type { Run } from '../run';

export interface ModuleFlags {
  env?: string[];
  source?: string;
  checkDeterministic?: boolean;
}

export const addModuleFlags = (command: Command): Command =>
  command
    .option('--env <NAME=value>', 'set a variable for the module, which gets no other; repeatable', collect)
    .option('--source <name>', 'the program that owns the jobs (default: quarterjack.source of package.json)')
    .option('--check-deterministic', 'read the module twice, and fail if its jobs differ');

export function addDefineCommand(program: Command, run: Run): void {
  addModuleFlags(program.command('define <module>'))
    .description('Print the jobs that a module of TypeScript or JavaScript defines.')
    .option('--out <file>', 'write them to a file')
    .addHelpText(
      'after',
      `
The module runs in a process that gets PATH, TZ=UTC and QUARTERJACK_DEFINE=1, and nothing else of the environment.
TypeScript is read by the project's own tsx or esbuild, or by Node.js 22.18 and newer. Only exported jobs count.

Examples:
  quarterjack define src/jobs.ts
  quarterjack define src/jobs.ts --env STAGE=prod --out jobs.manifest.json
  quarterjack define src/jobs.ts --check-deterministic --out jobs.manifest.json`,
    )
    .action(
      run(async (context: Context, { out, ...flags }: ModuleFlags & { out?: string }, module: string) => {
        const text = manifestText(await manifestOfModule(context, module, flags));
        if (out === undefined) context.io.stdout.write(text);
        else writeFileSync(out, text);
      }),
    );
  program
    .command(`${READ_COMMAND} <module> <reader>`, { hidden: true })
    .description('Reads a module of jobs. Other commands start it.')
    .action(
      run((_context: Context, _flags: object, path: string, reader: Reader) => runReader(path, reader)),
    );
}

/** What a module defines. Says which of its jobs do not count. */
export async function manifestOfModule(
  context: Context,
  module: string,
  { env = [], source, checkDeterministic: isReadTwice = false }: ModuleFlags,
): Promise<Manifest> {
  const variables = env.map((text) => {
    if (!text.includes('=')) throw new CliError(`--env is ${JSON.stringify(text)}; expected NAME=value`);
    return readEnvFile(text, '--env')[0]!;
  });
  const read = () => readJobs(module, Object.fromEntries(variables), context.io);
  const { jobs, unexported, withoutSchema } = await read();
  if (isReadTwice) checkDeterministic(module, jobs, (await read()).jobs);
  if (unexported.length > 0)
    context.say(`${module} does not export these jobs, so they do not count: ${unexported.join(', ')}`);
  if (withoutSchema.length > 0)
    context.say(`The server cannot check these payloads; the program does: ${withoutSchema.join('; ')}`);
  return manifestOf(jobs, source ?? sourceOfPackage(moduleAt(module, context.io.cwd())));
}
