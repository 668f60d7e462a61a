import { writeSync } from 'node:fs';
import { setImmediate as nextPhase } from 'node:timers/promises';

import { type Files, filesIn, type OpenFile } from '../../../local/services/dynamodb/journal/files';
import { FakeRandom } from '../fake-random';
import { openOn, randomChange, Rows } from './journal-play';

/**
 * A process that plays changes on a real folder, and kills itself at an operation of the file system. It
 * prints `open` and the rows that it has read back, `append N` before change N, `acknowledged N` after it.
 *
 * Arguments: folder, number of changes, seed, number of the operation, and `before` or `within`. A write is
 * cut by a death within it. All other operations have been done then, and the process does not know.
 */
const [folder = '', changes = '', seed = '', diesAt = '', how = ''] = process.argv.slice(2);
const SNAPSHOT_AT_BYTES = 900;
const report = (line: string): void => void writeSync(1, `${line}\n`);

let operations = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  for (;;); // the signal arrives in a moment
}

async function operate(act: () => Promise<void>, within: () => Promise<void> = act): Promise<void> {
  const isLast = operations++ === Number(diesAt);
  if (isLast && how === 'before') die();
  await (isLast && how === 'within' ? within() : act());
  if (isLast) die();
}

const mortalFile = (file: OpenFile): OpenFile => ({
  write: (bytes, position) =>
    operate(
      () => file.write(bytes, position),
      () => file.write(bytes.subarray(0, bytes.length / 2), position),
    ),
  truncate: (length) => operate(() => file.truncate(length)),
  sync: () => operate(() => file.sync()),
  close: () => file.close(),
});

const mortalFiles = (files: Files): Files => ({
  ...files,
  create: async (name) => {
    let created: OpenFile | undefined;
    await operate(async () => void (created = await files.create(name)));
    return mortalFile(created!);
  },
  open: async (name) => mortalFile(await files.open(name)),
  rename: (from, to) => operate(() => files.rename(from, to)),
  remove: (name) => operate(() => files.remove(name)),
  sync: () => operate(() => files.sync()),
});

async function main(): Promise<void> {
  const random = new FakeRandom(Number(seed));
  const rows = new Rows();
  const problems = { failures: [], warnings: [] };
  const journal = await openOn(mortalFiles(filesIn(folder)), rows, problems, SNAPSHOT_AT_BYTES);
  report(`open ${JSON.stringify(rows.text())}`);
  for (let number = 1; number <= Number(changes); number++) {
    const change = randomChange(random, number);
    report(`append ${number}`);
    rows.apply(change);
    journal.append(change);
    if (number % 3 === 0) await nextPhase();
    else await journal.flushed().then(() => report(`acknowledged ${number}`));
  }
  await journal.close();
  report('closed');
}

void main();
