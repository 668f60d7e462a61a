import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CLI } from '../package/names.mjs';
import { startDev } from './dev-run.mjs';

/** From an empty folder until a job in code has run, with the installation. */
const MOST_SEC = 180;
const PAGE = 'docs/quick-start-code.md';
const FILES = ['package.json', 'jobs.ts', 'server.ts'];

/** A call that the types of a job have to refuse. */
const WRONG = `import { greet } from './jobs.ts';
// @ts-expect-error: the schema has no such field
void greet.trigger({ nam: 'Ann' });
`;
const FLAGS =
  '--noEmit --strict --target es2023 --module nodenext --allowImportingTsExtensions --ignoreConfig';

/** The files of the page, by the name before each block. */
function filesOf(page) {
  const blocks = page.matchAll(/^\*\*`([^`]+)`\*\*[^\n]*\n+```\w+\n([^]*?)^```$/gm);
  return Object.fromEntries([...blocks].map(([, name, text]) => [name, text]));
}

/**
 * What the page of the quick start says: three files in an empty folder, two commands, and a job with a typed
 * payload runs. Returns a line with the time. Throws if it takes too long, or if a process is left.
 */
export async function threeFiles({ root, registry, node }) {
  const home = mkdtempSync(join(tmpdir(), 'quarterjack-three-'));
  try {
    const files = filesOf(readFileSync(join(root, PAGE), 'utf8'));
    const names = Object.keys(files).join();
    if (names !== FILES.join()) throw new Error(`${PAGE} has the files ${names}; expected ${FILES.join()}`);
    const startedMs = performance.now();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text);
    const path = dirname(node) + delimiter + process.env.PATH;
    const env = { PATH: path, HOME: home, npm_config_userconfig: registry.settings };
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: home, env });
    const run = await startDev('npx', [CLI], ['jobs.ts'], { cwd: home, env });
    let seconds = Infinity;
    try {
      await untilItSays(run, 'hello, it is ');
      seconds = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
      await askFrom(run, { cwd: home, env });
    } finally {
      await run.end('SIGTERM');
    }
    await compile(root, home);
    if (seconds > MOST_SEC) throw new Error(`a job in code ran after ${seconds} s; at most ${MOST_SEC} s`);
    return `from an empty folder to a typed job that ran, with ${FILES.length} files, in ${seconds} s`;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** What the page types in a second terminal: one run, and one that is refused. */
async function askFrom(run, { cwd, env }) {
  const typed = (args, more) => promisify(execFile)('npx', [CLI, ...args], { cwd, env: { ...env, ...more } });
  const { stdout: token } = await typed(['token']);
  const asked = (set) =>
    typed(['jobs', 'run', 'greet', '--set', set], {
      QUARTERJACK_URL: run.url,
      QUARTERJACK_TOKEN: token.trim(),
    });
  await asked('name=Ann');
  await untilItSays(run, 'hello, Ann');
  const refused = await asked('nam=Ann').catch(({ stderr }) => stderr);
  if (!String(refused).includes('payload.name is required'))
    throw new Error(`a payload that does not fit was not refused: ${JSON.stringify(refused)}`);
}

async function untilItSays(run, text) {
  for (let left = 600; !run.said().includes(text); left--) {
    if (left === 0) throw new Error(`no job ran:\n${run.said()}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function compile(root, home) {
  writeFileSync(join(home, 'wrong.ts'), WRONG);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types'), '--skipLibCheck'];
  const args = [tsc, ...FLAGS.split(' '), ...types, 'server.ts', 'wrong.ts'];
  await promisify(execFile)(process.execPath, args, { cwd: home }).catch((error) => {
    throw new Error(`the files do not compile:\n${error.stdout}`, { cause: error });
  });
}
