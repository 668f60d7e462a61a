import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { CDK, CLI, CLIENT } from '../package/names.mjs';

/**
 * Starts a registry on this machine for the packages, which gets all others from the registry that npm is
 * configured with. Resolves to its URL, the file with the settings that name it, and `stop`.
 */
export async function startRegistry(verdaccio) {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-registry-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const config = join(folder, 'config.json');
  writeFileSync(config, JSON.stringify(await configOf(folder)));
  const child = spawn(process.execPath, [verdaccio, '--config', config, '--listen', `127.0.0.1:${port}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const stop = async () => {
    const ended = new Promise((done) => child.once('exit', done));
    if (child.exitCode === null && child.kill()) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(url, child, () => said);
    // npm asks for a token before it publishes. This registry takes any.
    const settings = join(folder, 'npmrc');
    writeFileSync(
      settings,
      `registry=${url}\n//127.0.0.1:${port}/:_authToken=any\naudit=false\nfund=false\n`,
    );
    return { url, settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function publish({ settings }, tarballs) {
  for (const one of tarballs)
    await promisify(execFile)('npm', ['publish', '--silent', '--userconfig', settings, one]);
}

/**
 * Yarn asks the registry also for packages that another one brings along in its tarball. Publishes those that
 * the registry lacks, from a folder in which npm has installed that package.
 */
export async function publishBundled({ url, settings }, folder) {
  const modules = join(folder, 'node_modules');
  for (const path of readdirSync(modules, { recursive: true })) {
    // `<name>/package.json`, or of a scope `@<scope>/<name>/package.json`.
    if (!/^(?:@[^/]+\/)?[^@/][^/]*\/package\.json$/.test(path)) continue;
    const { name, version } = JSON.parse(readFileSync(join(modules, path), 'utf8'));
    const known = await fetch(url + name.replace('/', '%2f')).then((answer) => answer.json());
    if (known.versions?.[version] !== undefined) continue;
    const flags = ['--silent', '--ignore-scripts', '--tag', 'bundled', '--userconfig', settings];
    await promisify(execFile)('npm', ['publish', ...flags, join(modules, dirname(path))]);
  }
}

async function configOf(folder) {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
  const everyone = { access: '$all', publish: '$all' };
  return {
    storage: join(folder, 'storage'),
    uplinks: { outside: { url: stdout.trim() } },
    packages: {
      ...Object.fromEntries([CLIENT, CLI, CDK].map((name) => [name, everyone])),
      '**': { ...everyone, proxy: 'outside' },
    },
    log: { type: 'stdout', format: 'pretty', level: 'warn' },
  };
}

const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

async function untilItAnswers(url, child, said) {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the registry ended:\n${said()}`);
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 100));
  }
}
