import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { environmentOf } from '../../../../../cli/jobs-in-code/dev/environment';

test('the terminal comes before the file, and the run before both', () => {
  const dir = mkdtempSync(join(tmpdir(), 'quarterjack-environment-'));
  const file = join(dir, 'dev.env');
  writeFileSync(file, 'A=file\nB=file\nQUARTERJACK_URL=https://file\nQUARTERJACK_TOKEN=file\n');
  const own = { A: 'own', QUARTERJACK_URL: 'https://prod', QUARTERJACK_SECRET: 'prod' };
  const run = { url: 'http://127.0.0.1:1', token: 'local', secret: 'whsec_local' };
  expect(environmentOf(own, file, run)).toEqual({
    A: 'own',
    B: 'file',
    QUARTERJACK_URL: run.url,
    QUARTERJACK_TOKEN: run.token,
    QUARTERJACK_SECRET: run.secret,
  });
  rmSync(dir, { recursive: true });
});
