import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { eventually } from '../../support/eventually';
import type { RunningSystem } from '../../support/local-run';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const BLOCK = /<!-- tested: (\w+) -->\s*```\w+\n(.*?)```/gs;

const blocks = ['README.md', 'docs/quick-start.md'].flatMap((page) =>
  [...readFileSync(join(CHECKOUT_DIR, page), 'utf8').matchAll(BLOCK)].map(([, kind = '', code = '']) => ({
    kind,
    code,
  })),
);
const of = (kind: string) => blocks.filter((block) => block.kind === kind).map(({ code }) => code);

let run: RunningSystem;
let target: ChildProcess;
let heard = '';
let home: string;
let ports: [readme: string, here: string][];

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });

/** The code of both pages with the ports of this test. */
const here = (code: string): string => ports.reduce((text, [from, to]) => text.replaceAll(from, to), code);

const shell = (code: string) =>
  promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here(code)], {
    cwd: CHECKOUT_DIR,
    // A home of its own for the profile, and npm's usual cache, lest npx fetch what is there.
    env: { PATH: process.env.PATH, HOME: home, npm_config_cache: join(homedir(), '.npm') },
  });

/** Separates the output of the parts. */
const MARK = '== the next part ==';

/** The parts of the README and of the page for programs, pasted one after the other. */
export function describeReadme(given: () => RunningSystem): void {
  describe('the README', () => {
    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), 'quarterjack-readme-'));
      run = given();
      ports = [
        ['127.0.0.1:8787', new URL(run.url).host],
        ['127.0.0.1:9000', `127.0.0.1:${await freePort()}`],
      ];
      const [program = ''] = of('target');
      target = spawn('bash', ['-c', `exec ${here(program).replace('9000', ports[1]![1].split(':')[1]!)}`]);
      target.stdout!.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    });

    afterAll(async () => {
      target?.kill();
      rmSync(home, { recursive: true });
    });

    test('the parts work when they are pasted one after the other', async () => {
      mkdirSync(join(CHECKOUT_DIR, '.quarterjack'), { recursive: true });
      const { stdout } = await shell(of('bash').join(`\necho '${MARK}'\n`));
      const [commandLine, http, client] = stdout.split(`${MARK}\n`);
      expect(commandLine).toMatch(/Signed in.*Monday through Friday.*Created hello\..* succeeded /s);
      expect(http).toContain('"trigger":"manual"');
      expect(client).toMatch(/^fires at \d{4}-/);
      for (const request of ['POST /hook hello attempt 1', 'POST /report report attempt 1', 'POST /close '])
        await eventually(
          () => heard,
          (text) => text.includes(request),
        );
    }, 300_000);
  });
}
