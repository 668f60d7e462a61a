import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import cdkJson from '../../../cdk.json';

const CHECKOUT_DIR = resolve(__dirname, '../../..');

/**
 * Synthesizes the local stage with these settings. Returns the folder of the assembly, for the test to
 * remove.
 */
export function synthesizeWith(settings: object): string {
  const assembly = mkdtempSync(join(tmpdir(), 'quarterjack-assembly-'));
  const context = { ...cdkJson.context, stage: 'local', ...settings };
  // The app itself, without the CDK's command line and its validation: they take longer than all the rest.
  execFileSync(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    cwd: CHECKOUT_DIR,
    env: {
      ...process.env,
      CDK_OUTDIR: assembly,
      CDK_CONTEXT_JSON: JSON.stringify(context),
      CDK_VALIDATION: 'false',
    },
    stdio: 'pipe',
  });
  return assembly;
}
