import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ASSEMBLY = join(__dirname, '../../support/local/assembly');
const CLI = join(__dirname, '../../../local/main.cjs');

/** Runs the command line to its end. */
function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const wasReady = stdout.includes('Stop with Ctrl-C');
      stdout += chunk.toString();
      // Once: a second SIGINT ends the run at once.
      if (!wasReady && stdout.includes('Stop with Ctrl-C')) child.kill('SIGINT');
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'quarterjack-cli-'))));
afterAll(() => rmSync(directory, { recursive: true }));

test('prints its URL and how to begin, and stops cleanly on SIGINT', async () => {
  const { code, stdout, stderr } = await run('--ephemeral', '--port', '0', '--assembly', ASSEMBLY);
  expect(stdout).toMatch(/Quarterjack listens on http:\/\/127\.0\.0\.1:\d+\n/);
  expect(stdout).toContain('npm run --silent token -- --user alice');
  for (const page of ['/_local/', '/_local/dashboard', '/_local/events', '/_local/elsewhere'])
    expect(stdout).toMatch(new RegExp(` http://127\\.0\\.0\\.1:\\d+${page}\n`));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')[0]).toBe('starting ...');
});

describe('an error that the user can fix is one line on stderr, with exit code 1', () => {
  const expectLine = async (args: string[], line: RegExp) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringMatching(line)]]);
  };

  test('an unknown flag', () => expectLine(['--prot', '1'], /^quarterjack: Unknown option '--prot'/));

  test('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expectLine(
      ['--ephemeral', '--assembly', ASSEMBLY, '--port', String(port)],
      new RegExp(`^quarterjack: port ${port} is in use`),
    );
    other.close();
  });

  test('a data directory that cannot be created', async () => {
    const file = join(directory, 'file');
    writeFileSync(file, '');
    await expectLine(
      ['--port', '0', '--assembly', ASSEMBLY, '--data', join(file, 'data')],
      /^quarterjack: the data directory .* cannot be written: ENOTDIR/,
    );
  });

  test('an unsupported resource type', async () => {
    const assembly = join(directory, 'assembly');
    cpSync(ASSEMBLY, assembly, { recursive: true });
    const template = join(assembly, 'Fixture.template.json');
    writeFileSync(template, readFileSync(template, 'utf8').replace('AWS::IAM::Role', 'AWS::Made::Up'));
    await expectLine(
      ['--ephemeral', '--port', '0', '--assembly', assembly],
      /^quarterjack: ApiRole: the local run does not support the resource type AWS::Made::Up$/,
    );
  });

  test('a folder without an assembly', () =>
    expectLine(
      ['--ephemeral', '--port', '0', '--assembly', directory],
      /^quarterjack: .* is not a cloud assembly: it has no manifest\.json$/,
    ));
});
