import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of the package that this file, or what was built of it, is part of: the folder above holds its package.json. */
export function version(): string {
  const text = readFileSync(join(__dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
