import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/**
 * Starts `quarterjack dev --json` on a free port. Resolves when it is ready: to its first line, to what it
 * `said` on stderr, and to `end`. That throws if the run outlives its command.
 */
export async function startDev(program, before, flags, options) {
  const child = spawn(program, [...before, 'dev', '--port', '0', '--json', ...flags], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`dev ended:\n${said}`)));
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), failed]);
  const connection = JSON.parse(line);
  return { ...connection, said: () => said, end: (signal) => ends(child, signal, connection.url) };
}

async function ends(child, signal, url) {
  const ended = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill(signal);
  await ended;
  for (let left = 100; left > 0; left--) {
    const answers = await fetch(`${url}/v1/health`).then(
      () => true,
      () => false,
    );
    if (!answers) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('the run did not end with its command');
}

/** Creates a job. */
export async function createJob({ url, token }, job) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/jobs`, { method: 'POST', headers, body: JSON.stringify(job) });
  if (answer.status !== 201) throw new Error(`the job was answered ${answer.status}`);
}
