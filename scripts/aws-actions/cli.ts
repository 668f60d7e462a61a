/**
 * Writes `actions/`, and the digests of the requests that the clients of the SDK make: `npm run aws:actions`.
 * An action of which this project would send other bytes than its client is left out, and named.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { OperationNames } from '../../lambdas/core/contracts/action-names';
import { format } from './file-format';
import { namesOf } from './names';
import { readService } from './read-service';
import { SOURCES } from './services';

const root = join(__dirname, '../..');
const folder = join(root, 'actions');
const namesFile = join(root, 'lambdas/core/contracts/action-names.json');
const digests = join(root, 'test/fixtures/aws/action-digests.json');

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const known: Record<string, string> = {};
  const names: Record<string, OperationNames> = {};
  let bytes = 0;
  for (const source of SOURCES) {
    const { name, actions, sent, leftOut } = await readService(source);
    const text = format(actions);
    bytes += text.length;
    names[name] = namesOf(actions);
    writeFileSync(join(folder, `${name}.json`), text);
    for (const [operation, request] of Object.entries(sent))
      known[`${name}:${operation}`] = createHash('sha256').update(request).digest('base64url').slice(0, 16);
    console.log(`${name}: ${Object.keys(actions.actions).length} actions, ${text.length} bytes`);
    for (const [operation, why] of Object.entries(leftOut)) console.log(`  without ${operation}: ${why}`);
  }
  writeFileSync(namesFile, `${JSON.stringify(names, undefined, 1)}\n`);
  writeFileSync(digests, `${JSON.stringify(known, undefined, 1)}\n`);
  console.log(`${Object.keys(known).length} actions of ${SOURCES.length} services, ${bytes} bytes`);
}

void main();
