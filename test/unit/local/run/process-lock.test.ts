import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { acquireLock } from '../../../../local/run/process-lock';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-lock-'));
  path = join(directory, 'lock');
});
afterEach(() => rmSync(directory, { recursive: true }));
const acquire = () => acquireLock(path, (pid) => `held by ${pid}`);

test('a lock is held until it is released', () => {
  const lock = acquire();
  expect(acquire).toThrow(`held by ${process.pid}`);
  lock.release();
  acquire();
});

test.each([
  // Higher than the maximum process id of the system.
  ['of a process that has ended', JSON.stringify({ pid: 2 ** 22 + 1 })],
  ['of an earlier process with the same id', JSON.stringify({ pid: process.pid, startedAt: '1' })],
  ['that was not completely written', '{"pid'],
])('a lock %s is replaced', (_, content) => {
  writeFileSync(path, content);
  acquire();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
});
