import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export const CHECKOUT_DIR = resolve(__dirname, '../..');

/** Makes the package `quarterjack` in a folder, as users get it but without its types. */
export function makePackage(folder: string): void {
  const at = (path: string) => JSON.stringify(pathToFileURL(join(CHECKOUT_DIR, path)).href);
  const make = `
import { writeFileSync } from 'node:fs';
const { bundleClient } = await import(${at('scripts/package/bundles.mjs')});
const { manifestsOf } = await import(${at('scripts/package/manifests.mjs')});
await bundleClient(process.cwd() + '/node_modules/quarterjack');
writeFileSync('node_modules/quarterjack/package.json', JSON.stringify(manifestsOf({ dependencies: {} }).client));`;
  writeFileSync(join(folder, 'package.json'), '{ "version": "0.1.0" }');
  execFileSync(process.execPath, ['--input-type=module', '--eval', make], { cwd: folder });
}

/** The project of a user whose program has jobs in code. */
export class CodeProject {
  readonly dir = mkdtempSync(join(tmpdir(), 'quarterjack-code-'));

  /** `tools` is the folder of `makePackage`. */
  constructor(tools: string) {
    mkdirSync(join(this.dir, 'node_modules'));
    symlinkSync(join(tools, 'node_modules/quarterjack'), join(this.dir, 'node_modules/quarterjack'));
    this.write('package.json', '{ "private": true, "type": "module", "quarterjack": { "source": "shop" } }');
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.dir, file)), { recursive: true });
    writeFileSync(join(this.dir, file), text);
  }

  /** From now on, it has this package. */
  has(name: string): void {
    symlinkSync(join(CHECKOUT_DIR, 'node_modules', name), join(this.dir, 'node_modules', name));
  }

  remove(): void {
    rmSync(this.dir, { recursive: true });
  }
}
