import { basename } from 'node:path';

import type { Command } from 'commander';

import type { Context } from '../context';
import { CliError, type ExitCode } from '../exit-codes';
import { foreignFile } from '../foreign-file';
import { type Manifest, readManifests } from '../import/kubernetes/read-manifests';
import { importFromKubernetes } from '../import/kubernetes/translate';
import { readStdin } from '../io';
import { readText } from '../read-definition';
import type { Run } from '../run';
import { filesIn } from '../schedules-as-code/read-files';
import {
  checkQueue,
  checkTimezone,
  commonOptions,
  finish,
  type ImportFlags,
  sayWorkCommand,
} from './finish-import';

interface KubernetesFlags extends ImportFlags {
  queue: string;
  timezone?: string;
}

export function addKubernetes(imports: Command, run: Run): void {
  commonOptions(imports.command('kubernetes <files...>'))
    .description('Import the CronJobs of Kubernetes manifests, from files or directories (- for stdin).')
    .option('--queue <name>', 'work queue whose workers run the commands', 'kubernetes')
    .option('--timezone <zone>', 'zone of CronJobs without timeZone: that of the cluster (default: UTC)')
    .addHelpText(
      'after',
      `
A CronJob becomes a job whose command a worker runs: quarterjack work --exec-payload. The import prints how to start
it. What has no counterpart is a note of the job. A CronJob that would run something else is not imported.

Nothing changes in the cluster. Suspend the CronJobs there before you apply, or both will run.

Examples:
  kubectl get cronjobs -A -o yaml | quarterjack import kubernetes -
  helm template shop ./chart | quarterjack import kubernetes - --queue shop --out jobs.yaml
  kustomize build overlays/prod | quarterjack import kubernetes - --timezone Europe/Berlin --apply --yes`,
    )
    .action(run(importKubernetes));
}

async function importKubernetes(
  context: Context,
  flags: KubernetesFlags,
  paths: readonly string[],
): Promise<ExitCode> {
  const { queue, timezone } = flags;
  checkQueue(queue);
  if (timezone !== undefined) checkTimezone(timezone);
  const manifests = [];
  for (const path of new Set(paths.flatMap(filesIn))) {
    const text = path === '-' ? await readStdin(context.io) : readText(path);
    manifests.push(...manifestsIn(text, path === '-' ? 'stdin' : basename(path)));
  }
  return finish(context, importFromKubernetes(manifests, { queue, timezone }), flags, (checked) =>
    sayWorkCommand(context, checked, queue),
  );
}

function manifestsIn(text: string, name: string): Manifest[] {
  try {
    return readManifests(text, name);
  } catch (cause) {
    const foreign = cause instanceof CliError ? foreignFile(text, name, 'kubernetes') : undefined;
    throw foreign === undefined ? cause : new CliError(foreign, undefined, { cause });
  }
}
