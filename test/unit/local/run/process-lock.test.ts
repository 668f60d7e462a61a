import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { takeLock } from '../../../../local/run/process-lock';

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-lock-'));
  path = join(directory, 'lock');
});
afterEach(() => rmSync(directory, { recursive: true }));
const take = () => takeLock(path, (pid) => `held by ${pid}`);

test('a lock is held until it is released', () => {
  const lock = take();
  expect(take).toThrow(`held by ${process.pid}`);
  lock.release();
  take();
});

test.each([
  // No process has an id beyond the system's maximum.
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1 })],
  ['of an earlier process with the same id', JSON.stringify({ pid: process.pid, startedAt: '1' })],
  ['that was never written to its end', '{"pid'],
])('a lock %s is taken over', (_, content) => {
  writeFileSync(path, content);
  take();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
});
