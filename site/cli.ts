/**
 * Builds the documentation as a site. Needs no network.
 *
 *     npm run site -- [--out FOLDER]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { buildSite } from './build';

const ROOT = join(__dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist/site') } } });

async function main(): Promise<void> {
  const count = await buildSite(ROOT, values.out);
  console.log(`${count} pages: open ${join(values.out, 'index.html')}`);
}

void main();
