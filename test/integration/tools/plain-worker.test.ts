import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

const ROOT = join(__dirname, '../../..');

/** What a program prints in which a worker of its own has no permission to claim. */
function ended(start: string) {
  const [bundle] = buildSync({
    absWorkingDir: ROOT,
    stdin: {
      contents: `import { Worker } from './client/worker';
const refused = async () => Response.json({ status: 403, detail: 'needs the role worker' }, { status: 403 });
const given = { url: 'https://api.test', token: 't', queue: 'q', handler: () => undefined };
const worker = new Worker({ ...given, surroundings: { fetch: refused } });
${start}`,
      resolveDir: ROOT,
    },
    bundle: true,
    platform: 'node',
    write: false,
  }).outputFiles;
  return spawnSync(process.execPath, ['-'], { input: bundle!.text, encoding: 'utf8' });
}

test('a program that does not wait for its worker ends with the reason of the worker', () => {
  const { status, stderr } = ended('void worker.start();');
  expect(status).toBe(1);
  expect(stderr).toContain('needs the role worker');
});

test('a program that handles the reason goes on', () => {
  const { status, stdout, stderr } = ended(
    'worker.start().catch(({ message }) => worker.drain().then(() => console.log(`ended: ${message}`)));',
  );
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('ended: ');
  expect(stdout).toContain('needs the role worker');
});
