import { extname } from 'node:path';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, type ExitCode } from '../exit-codes';
import { addNote, numberOf } from '../flag-values';
import { checkOwner, checkRemovals } from '../jobs-in-code/check-owner';
import { jobsOfManifest, SOURCE_TAG } from '../jobs-in-code/jobs-of-manifest';
import { checkFeatures } from '../jobs-in-code/check-features';
import { type Manifest, parseManifest } from '../jobs-in-code/manifest';
import { checkRevision, revisionOf, withRevision } from '../jobs-in-code/revision';
import { type TargetFlags, targetOf } from '../jobs-in-code/target';
import { readText } from '../read-definition';
import type { Run } from '../run';
import { planJson, planText } from '../schedules-as-code/plan-text';
import { exitCodeOfPlan, planOf, showAndApply } from './apply';
import { addYes } from './ask';
import { addModuleFlags, manifestOfModule, type ModuleFlags } from './define';

interface DeployFlags extends ModuleFlags, TargetFlags {
  prefix?: string;
  prune?: boolean;
  adopt?: boolean;
  allowRemovals?: string;
  revision?: string;
  dryRun?: boolean;
  detailedExitcode?: boolean;
  yes?: boolean;
}

export function addDeployCommand(program: Command, run: Run): void {
  addYes(addNote(addModuleFlags(program.command('deploy <module>'))))
    .description('Register the jobs of a program: of a module, or of a manifest that define has printed.')
    .option('--target <url>', 'the program answers at this URL')
    .option('--queue <name>', 'the program is a worker of this work queue')
    .option('--lambda <arn>', 'the program is this function of AWS Lambda')
    .option('--prefix <text>', 'what the ids of the jobs begin with, such as staging-')
    .option('--prune', 'also remove jobs of the same source that the module no longer defines')
    .option('--adopt', 'also take over jobs of these ids that have no source')
    .option('--allow-removals <n>', 'agree to the removal of so many jobs')
    .option('--revision <n>', 'the number of this deployment: one that is lower than the last is refused')
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--detailed-exitcode', 'with --dry-run: exit with code 2 if there is something to change')
    .addHelpText(
      'after',
      `
A job belongs to the source that has deployed it: the tag ${SOURCE_TAG}. Jobs of another source are never changed.

Examples:
  quarterjack deploy src/jobs.ts --target https://app.example.com/jobs --source shop
  quarterjack deploy src/jobs.ts --queue reports --prune --dry-run
  quarterjack deploy src/jobs.ts --target https://app.example.com/jobs --revision "$BUILD_NUMBER" --yes
  quarterjack deploy jobs.manifest.json --lambda arn:aws:lambda:eu-central-1:111122223333:function:jobs --yes`,
    )
    .action(run(deploy));
}

async function deploy(context: Context, flags: DeployFlags, module: string): Promise<ExitCode> {
  const { prefix = '', prune = false, adopt = false, allowRemovals } = flags;
  const called = targetOf(flags);
  const allowed = allowRemovals === undefined ? 0 : numberOf('--allow-removals', allowRemovals);
  const given = flags.revision === undefined ? undefined : revisionOf(flags.revision);
  const manifest = await manifestIn(context, module, flags);
  if (manifest.source === undefined)
    throw new CliError(
      'which program owns the jobs? Say --source NAME, or { "quarterjack": { "source": "NAME" } } in package.json',
    );
  // Two prefixes are two programs: neither removes what the other one has deployed.
  const source = prefix === '' ? manifest.source : `${manifest.source}/${prefix}`;
  const client = context.client();
  const defined = jobsOfManifest(manifest, { path: module, source, prefix, targetOf: called });
  await checkFeatures(client, defined);
  const revision = given ?? manifest.revision;
  const jobs = await withRevision(defined, source, revision, client);
  const content = { jobs: [...jobs], calendars: [], notifications: [] };
  const plan = await planOf(context, content, prune ? `${SOURCE_TAG}:${source}` : undefined);
  await checkRevision(source, revision, client);
  checkOwner(plan, source, adopt);
  checkRemovals(plan, jobs.length, allowed);
  if (!flags.dryRun) return showAndApply(context, plan, flags);
  context.print(planJson(plan), () => planText(plan, context.style));
  return exitCodeOfPlan(plan, flags.detailedExitcode);
}

/** A file of JSON is a manifest, which no other process has to read. */
async function manifestIn(context: Context, path: string, flags: ModuleFlags): Promise<Manifest> {
  if (extname(path) !== '.json') return manifestOfModule(context, path, flags);
  const manifest = parseManifest(readText(path), path);
  return { ...manifest, ...(flags.source !== undefined && { source: flags.source }) };
}
