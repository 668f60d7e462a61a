import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in the package.json one folder up, both for this file and for the bundle built from it. */
export function version(): string {
  const text = readFileSync(join(__dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
