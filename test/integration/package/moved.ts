import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Programs } from './programs';
import type { UserFolder } from './user-folder';

/** `bin` is the command of the client's package. */
export const movedSuite = (user: () => UserFolder, plain: Programs, bin: () => string): void =>
  describe('what has moved is an error that names the new place', () => {
    const TO_CLIENT = `'quarterjack/client' is now 'quarterjack', with the same names`;
    const TO_CDK = `'quarterjack/cdk' is now the package '@quarterjack/cdk': npm install @quarterjack/cdk`;

    test.each([
      ["import { Quarterjack, verifyDelivery } from 'quarterjack/client';", TO_CLIENT],
      ["import { Quarterjack, ScheduledJob } from 'quarterjack/cdk';", TO_CDK],
      ["await import('quarterjack/client');", TO_CLIENT],
      ["process.getBuiltinModule('module').createRequire(import.meta.url)('quarterjack/cdk');", TO_CDK],
    ])('%s', (line, message) => {
      user().write('moved.mjs', `${line}\n`);
      const { status, stderr } = spawnSync(process.execPath, ['moved.mjs'], {
        cwd: user().dir,
        encoding: 'utf8',
      });
      expect({ status, said: stderr.includes(`Error: ${message}\n`) }).toEqual({ status: 1, said: true });
    });

    plain.add('moved.mts', "import { moved, Quarterjack } from 'quarterjack/client';\nnew Quarterjack();");
    test('the compiler says it too, and knows no other name', () => {
      const said = plain.faultsOf('moved.mts').join('\n');
      expect(said).toContain(TO_CLIENT);
      expect(said).toMatch(/'moved'.*not exported/);
    });

    test('the command of the client, where no command line is installed', () => {
      const alone = mkdtempSync(join(tmpdir(), 'quarterjack-bin-'));
      copyFileSync(bin(), join(alone, 'bin.js'));
      const options = { cwd: alone, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, ['bin.js', 'whoami'], options);
      rmSync(alone, { recursive: true });
      expect({ status, stdout, stderr }).toEqual({
        status: 1,
        stdout: '',
        stderr: 'quarterjack: the command line is the package @quarterjack/cli: run npx @quarterjack/cli\n',
      });
    });
  });
