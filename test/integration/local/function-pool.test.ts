import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { FunctionPool } from '../../../local/invoke/function-pool';
import { ProcessorRoom, SAMPLE_MS } from '../../../local/invoke/processor-room';
import { programFile } from '../../../local/machine/program.cjs';
import { Callers } from '../../../local/services/callers';
import { eventually } from '../../support/eventually';
import { functionSpec } from '../../support/function-spec';

/** Says that it has begun, by a file of its thread, and responds with the thread once `gate` exists. */
const HANDLER = `
import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';
export async function handler({ gate }) {
  if (gate) writeFileSync(gate + '-' + threadId, '');
  while (gate && !existsSync(gate)) await sleep(5);
  return threadId;
}
`;

let directory: string;
let pool: FunctionPool;
/** Each environment that starts gets credentials. */
let issue: jest.SpyInstance;
/** The share of two processors that this process uses. Each question comes a period after the last. */
let share = 0;

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'quarterjack-pool-'));
  writeFileSync(join(directory, 'index.mjs'), HANDLER);
  const used = { hereMs: 0, allMs: 0, busyMs: 0 };
  let askedMs = 0;
  const read = () => {
    used.hereMs += 2 * SAMPLE_MS * share;
    used.busyMs = used.hereMs;
    used.allMs += 2 * SAMPLE_MS;
    return { ...used };
  };
  const callers = new Callers();
  issue = jest.spyOn(callers, 'issue');
  pool = new FunctionPool(functionSpec('f', directory), {
    maxEnvironments: 4,
    room: new ProcessorRoom({ processors: 2, nowMs: () => (askedMs += SAMPLE_MS), read }),
    workerFile: await programFile('local/invoke/environment-worker.ts'),
    callers,
    aws: { region: 'us-east-1', awsUrl: 'http://127.0.0.1:9', startedMs: 0 },
    log: {
      write: () => undefined,
      line: () => undefined,
      invokeError: () => undefined,
      close: () => undefined,
    },
  });
});

afterEach(() => {
  pool.stop();
  rmSync(directory, { recursive: true });
});

const threadsOf = async (events: object[]): Promise<Set<string | undefined>> => {
  const outcomes = await Promise.all(events.map((event) => pool.invoke(JSON.stringify(event))));
  return new Set(outcomes.map((outcome) => (outcome.ok ? outcome.payload : outcome.error.errorMessage)));
};

test('events wait for an environment that becomes idle, while the processors are busy', async () => {
  share = 1;
  await threadsOf([{}]);
  expect((await threadsOf(Array.from({ length: 20 }, () => ({})))).size).toBe(1);
  expect(issue).toHaveBeenCalledTimes(1);
});

test.each([
  ['at once, while the processors have room', 0],
  ['after seconds in which no event has ended, while the processors are busy', 1],
])('events that last get environments of their own, up to the maximum: %s', async (_, busyShare) => {
  share = busyShare;
  const gate = join(directory, 'gate');
  const done = threadsOf(Array.from({ length: 6 }, () => ({ gate })));
  const begun = () => readdirSync(directory).filter((name) => name.startsWith('gate-'));
  await eventually(begun, ({ length }) => length === 4);
  writeFileSync(gate, '');
  expect((await done).size).toBe(4);
});
