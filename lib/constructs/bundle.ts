import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Code } from 'aws-cdk-lib/aws-lambda';

/** The code of a function: a folder in a checkout, an archive in the package that users install. */
export function bundleOf(bundlesDir: string, stage: string): Code {
  const folder = join(bundlesDir, stage);
  return Code.fromAsset(existsSync(folder) ? folder : `${folder}.zip`);
}
