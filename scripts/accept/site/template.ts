import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Template } from '../../preflight/concurrency';

/** The synthesized template of a stack. Throws if the stage was not synthesized. */
export function templateOf(stackName: string): Template {
  const file = join(__dirname, '../../../cdk.out', `${stackName}.template.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Template;
  } catch (cause) {
    const stage = stackName.replace('Quarterjack-', '');
    throw new Error(`no template of ${stackName}; run npx cdk synth --quiet -c stage=${stage} first`, {
      cause,
    });
  }
}
