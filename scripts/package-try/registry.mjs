import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

async function configOf(folder) {
  const { stdout } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
  const everyone = { access: '$all', publish: '$all' };
  return {
    storage: join(folder, 'storage'),
    uplinks: { outside: { url: stdout.trim() } },
    packages: {
      ...Object.fromEntries([CLIENT, CLI, CDK].map((name) => [name, everyone])),
      '**': { access: '$all', proxy: 'outside' },
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
