import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { zipOf } from '../package/zip.mjs';
import { sha256, SUMS, writeSums } from '../sums';
import { type Identity, synthesizeTemplate } from './synthesize';

/** The files of the two templates. */
export const TEMPLATES: Readonly<Record<Identity, string>> = {
  'own-pool': 'own-pool.template.json',
  'own-issuer': 'own-issuer.template.json',
};
export const ASSETS = 'assets';
export const SCRIPT = 'deploy-template.sh';

/** What CloudFormation takes from S3. */
const MAX_TEMPLATE_BYTES = 1_000_000;

export interface WriteOptions {
  readonly out: string;
  /** The file of `config/` that the templates are made of. */
  readonly stage: string;
  readonly bundlesDir: string;
}

/**
 * Writes both templates, their assets, the manifest of all and the script that deploys them. Returns the
 * bytes of each file. Throws an Error for a folder that has other files, and for a template too large.
 */
export function writeTemplates({ out, stage, bundlesDir }: WriteOptions): Map<string, number> {
  clear(out);
  const bytes = new Map<string, number>();
  const write = (path: string, content: Buffer): void => {
    bytes.set(path, content.length);
    writeFileSync(join(out, path), content);
  };
  for (const [identity, file] of Object.entries(TEMPLATES) as [Identity, string][])
    synthesizeTemplate({ stage, identity, bundlesDir }, (template, assets) => {
      let text = JSON.stringify(template);
      for (const { name, folder } of assets) {
        const zip = zipOf(folder);
        const key = `${sha256(zip)}.zip`;
        text = text.replaceAll(name, key);
        write(`${ASSETS}/${key}`, zip);
      }
      const content = Buffer.from(`${text}\n`);
      if (content.length > MAX_TEMPLATE_BYTES)
        throw new Error(`${file} has ${content.length} bytes; expected at most ${MAX_TEMPLATE_BYTES}`);
      write(file, content);
    });
  writeSums(out);
  copyFileSync(join(__dirname, SCRIPT), join(out, SCRIPT));
  return bytes;
}

/** Makes the folder, or removes what an earlier call has written there. */
function clear(out: string): void {
  mkdirSync(out, { recursive: true });
  const own = [...Object.values(TEMPLATES), ASSETS, SUMS, SCRIPT];
  const other = readdirSync(out).find((name) => !own.includes(name));
  if (other !== undefined) throw new Error(`--out is ${out}, which has ${other}; expected an empty folder`);
  for (const name of own) rmSync(join(out, name), { recursive: true, force: true });
  mkdirSync(join(out, ASSETS));
}
