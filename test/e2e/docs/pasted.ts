import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import type { RunningSystem } from '../../support/local-run';

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const BLOCK = /<!-- tested: ([\w-]+) -->\s*```\w+\n(.*?)```/gs;

interface Block {
  kind: string;
  code: string;
}

/** What a reader who pastes the code of pages sees. */
export interface Pasted {
  /** The tested code of the pages, in their order. */
  blocks: readonly Block[];
  /** The other code for bash. */
  untested: readonly string[];
  /** Runs code in bash, with the ports of this test. Resolves to what it prints. */
  shell(code: string): Promise<string>;
  /** What the target of the pages has printed. */
  heard(): string;
  end(): void;
}

/** Starts the target that the pages start, with a home of its own for the profile. */
export async function pastePages(pages: readonly string[], run: RunningSystem): Promise<Pasted> {
  const text = pages.map((page) => readFileSync(join(CHECKOUT_DIR, page), 'utf8')).join('\n');
  const blocks = [...text.matchAll(BLOCK)].map(([, kind = '', code = '']) => ({ kind, code }));
  const others = text.replace(BLOCK, '').matchAll(/^```bash\n(.*?)```/gms);
  const home = mkdtempSync(join(tmpdir(), 'quarterjack-pasted-'));
  const port = String(await freePort());
  const here = (code: string): string =>
    code
      .replaceAll('127.0.0.1:8787', new URL(run.url).host)
      .replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`)
      .replace('listen(9000,', `listen(${port},`);
  mkdirSync(join(CHECKOUT_DIR, '.quarterjack'), { recursive: true });
  const program = blocks.find(({ kind }) => kind === 'target')!.code;
  const target: ChildProcess = spawn('bash', ['-c', `exec ${here(program)}`], { cwd: CHECKOUT_DIR });
  let heard = '';
  target.stdout!.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  return {
    blocks,
    untested: [...others].map(([, code = '']) => code),
    heard: () => heard,
    shell: async (code) => {
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here(code)], {
        cwd: CHECKOUT_DIR,
        // A home of its own for the profile, and npm's usual cache, lest npx fetch what is there.
        env: { PATH: process.env.PATH, HOME: home, npm_config_cache: join(homedir(), '.npm') },
      });
      return stdout;
    },
    end: () => {
      target.kill();
      rmSync(home, { recursive: true });
    },
  };
}

export const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => done(port));
    });
  });
