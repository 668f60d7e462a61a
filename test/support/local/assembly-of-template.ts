import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { STACK_NAME } from '../../../scripts/templates/synthesize';
import { ASSETS } from '../../../scripts/templates/write-templates';

interface Template {
  Parameters: Record<string, { Default?: string | number }>;
}

/**
 * Makes a cloud assembly of a template that is deployed without the CDK. Its assets are unpacked, as Lambda
 * does, and its parameters have values. Returns the folder of the assembly.
 */
export function assemblyOfTemplate(
  folder: string,
  file: string,
  values: Readonly<Record<string, string>>,
): string {
  const assembly = join(folder, `assembly-of-${file}`);
  mkdirSync(assembly);
  const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Template;
  for (const [name, value] of Object.entries(values)) template.Parameters[name]!.Default = value;
  const files = readdirSync(join(folder, ASSETS)).map((zip): [string, object] => {
    execFileSync('python3', ['-m', 'zipfile', '-e', join(folder, ASSETS, zip), join(assembly, zip)]);
    return [zip, { source: { path: zip }, destinations: { bucket: { objectKey: zip } } }];
  });
  const write = (name: string, content: object) =>
    writeFileSync(join(assembly, name), JSON.stringify(content));
  write(file, template);
  write('assets.json', { files: Object.fromEntries(files) });
  write('manifest.json', {
    artifacts: {
      [STACK_NAME]: { type: 'aws:cloudformation:stack', properties: { templateFile: file } },
      assets: { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } },
    },
  });
  return assembly;
}
