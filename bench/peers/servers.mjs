// Starts Redis and PostgreSQL as Debian installs them, each in its own folder on a free port. Stopping a
// server deletes its folder.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';
const READY_WITHIN_MS = 30_000;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(what, probe) {
  for (const untilMs = Date.now() + READY_WITHIN_MS; Date.now() < untilMs; await sleep(200)) {
    try {
      return probe();
    } catch (error) {
      if (Date.now() + 200 >= untilMs) throw new Error(`${what} does not answer`, { cause: error });
    }
  }
}

const quiet = { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' };

/** Undefined where it is not installed. */
export async function startRedis() {
  let version;
  try {
    [, version] = /v=(\S+)/.exec(execFileSync('redis-server', ['--version'], quiet));
  } catch {
    return undefined; // not installed
  }
  const dir = mkdtempSync(join(tmpdir(), 'peers-redis-'));
  const port = await freePort();
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    dir,
    '--maxmemory-policy',
    'noeviction',
  ];
  const server = spawn('redis-server', flags, { stdio: 'ignore' });
  await untilReady('Redis', () => execFileSync('redis-cli', ['-p', String(port), 'ping'], quiet));
  return {
    version: `Redis ${version}`,
    connection: { host: '127.0.0.1', port, maxRetriesPerRequest: null },
    async stop() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Undefined where it is not installed. It refuses to run as root, so root runs it as `postgres`. */
export async function startPostgres() {
  if (!existsSync(POSTGRES_VERSIONS)) return undefined;
  const [newest] = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a));
  const bin = join(POSTGRES_VERSIONS, newest, 'bin');
  if (!existsSync(join(bin, 'initdb'))) return undefined;
  const isRoot = process.getuid?.() === 0;
  const as = (command, args) =>
    isRoot ? ['runuser', ['-u', 'postgres', '--', join(bin, command), ...args]] : [join(bin, command), args];
  const dir = mkdtempSync(join(tmpdir(), 'peers-postgres-'));
  chmodSync(dir, 0o700);
  if (isRoot) execFileSync('chown', ['postgres', dir]);
  const data = join(dir, 'data');
  execFileSync(...as('initdb', ['-D', data, '-U', 'bench', '-A', 'trust']), quiet);
  const port = await freePort();
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${dir}`;
  execFileSync(...as('pg_ctl', ['-D', data, '-w', '-l', join(dir, 'log'), '-o', options, 'start']), {
    stdio: 'ignore',
  });
  const version = execFileSync(join(bin, 'postgres'), ['--version'], quiet)
    .trim()
    .replace(/^postgres \(PostgreSQL\)/, 'PostgreSQL');
  return {
    version,
    connectionString: `postgres://bench@127.0.0.1:${port}/postgres`,
    async stop() {
      execFileSync(...as('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop']), { stdio: 'ignore' });
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
