import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextPhase } from 'node:timers/promises';

import { programFile } from '../../../local/machine/program.cjs';
import { filesIn } from '../../../local/services/dynamodb/journal/files';
import { IS_DEEP } from '../../support/deep';
import { FakeRandom } from '../../support/fake-random';
import { openOn, type Promised, randomChange, Rows } from '../../support/local/journal-play';

const CHANGES = IS_DEEP ? 60 : 16;
/** Processes at a time. */
const PARALLEL = 3;

/** What one process has done. */
interface Session {
  /** The rows that it read back. Undefined if it died before. */
  opened: string | undefined;
  promised: Promised;
  /** It reached its end. */
  closed: boolean;
  output: string;
}

let root: string;
beforeAll(() => (root = mkdtempSync(join(tmpdir(), 'journal-'))));
afterAll(() => rmSync(root, { recursive: true }));

async function runSession(folder: string, seed: number, diesAt: number, how: string): Promise<Session> {
  const program = await programFile('test/support/local/journal-process.ts');
  const child = spawn(process.execPath, [program, folder, CHANGES, seed, diesAt, how].map(String), {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code, signal]] = await Promise.all([readText(child.stdout), once(child, 'exit')]);
  const lines = output.split('\n').map((line) => [line.split(' ', 1)[0], line.replace(/^\w+ /, '')] as const);
  const last = (name: string): string | undefined => lines.findLast(([first]) => first === name)?.[1];
  const opened = last('open');
  const closed = last('closed') !== undefined;
  expect({ code, signal }).toEqual(closed ? { code: 0, signal: null } : { code: null, signal: 'SIGKILL' });
  return {
    opened: opened === undefined ? undefined : (JSON.parse(opened) as string),
    promised: [Number(last('acknowledged') ?? 0), Number(last('append') ?? 0)],
    closed,
    output,
  };
}

/** The rows after each number of changes. */
function statesFrom(opened: string, seed: number): string[] {
  const random = new FakeRandom(seed);
  const rows = new Rows();
  for (const line of opened.split('\n').filter(Boolean)) rows.apply(JSON.parse(line) as never);
  const states = [rows.text()];
  for (let number = 1; number <= CHANGES; number++) {
    rows.apply(randomChange(random, number));
    states.push(rows.text());
  }
  return states;
}

/** Which rows a folder may have. */
const allowedAfter = (before: string[], seed: number, { opened, promised, closed }: Session): string[] => {
  if (opened === undefined) return before;
  const states = statesFrom(opened, seed);
  return closed ? states.slice(-1) : states.slice(promised[0], promised[1] + 1);
};

async function readBack(folder: string): Promise<string> {
  const rows = new Rows();
  const journal = await openOn(filesIn(folder), rows, { failures: [], warnings: [] });
  await journal.close();
  return rows.text();
}

/** Three processes after each other in one folder. Two of them are killed. True if they had died by then. */
async function killAt(operation: number): Promise<boolean> {
  const folder = join(root, String(operation));
  let allowed = [''];
  let deaths = 0;
  for (const [index, how] of ['before', 'within'].entries()) {
    const seed = 10 * operation + index;
    const session = await runSession(folder, seed, operation, how);
    if (session.opened !== undefined) expect(allowed).toContain(session.opened);
    allowed = allowedAfter(allowed, seed, session);
    if (!session.closed) deaths += 1;
  }
  const left = await readBack(folder);
  expect(allowed).toContain(left);
  expect(await readBack(folder)).toBe(left);
  return deaths > 0;
}

test('a process that is killed at any operation of the file system loses nothing acknowledged', async () => {
  let next = 0;
  let kills = 0;
  const work = async (): Promise<void> => {
    while (await killAt(next++)) kills += 1;
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  expect(kills).toBeGreaterThan(50);
});

test('a folder is made with those above it, and a failure names the file', async () => {
  const folder = join(root, 'new/folders');
  const failures: Error[] = [];
  const journal = await openOn(filesIn(folder), new Rows(), { failures, warnings: [] }, 1);
  rmSync(folder, { recursive: true });
  journal.append({ table: 'Jobs', key: ['p', 'j'], item: {} });
  // The open file takes the change. The next one cannot be created.
  await journal.flushed();
  while (failures.length === 0) await nextPhase();
  await expect(journal.close()).rejects.toThrow(/^cannot write .*\/new\/folders\/journal-1: .*ENOENT/);
  expect(failures).toHaveLength(1);
});
