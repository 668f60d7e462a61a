import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IS_DEEP } from '../../support/deep';
import { eventually } from '../../support/eventually';
import { Host } from '../../support/local/host';
import type { Death } from '../../support/local/host-protocol';

const ASSEMBLY = join(__dirname, '../../support/local/assembly');
/** Long enough for a response that does not wait for the disk. */
const SYNC_MS = 150;
const WRITERS = 3;
/** Each kills a host. */
const DEATHS: [number, Death][] = (IS_DEEP ? [1, 2, 3, 4, 5, 6] : [1, 4]).flatMap(
  (write): [number, Death][] => [
    [write, 'before'],
    [write, 'unsynced'],
  ],
);

let dataDir: string;
let host: Host;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quarterjack-kept-'));
  host = await start();
});
afterAll(async () => {
  await host.stop();
  rmSync(dataDir, { recursive: true });
});

const start = () => Host.start({ port: 0, dataDir, assembly: ASSEMBLY });
/** Undefined: the host has died. */
const ask = async (init?: RequestInit): Promise<Response | undefined> =>
  host.fetch('/rows/kept', init).catch(() => undefined);

/** Writes rows, one after another, until the host dies. Returns those that were answered. */
async function write(name: string): Promise<string[]> {
  const answered: string[] = [];
  for (let number = 0; ; number += 1) {
    const id = `${name} ${number}`;
    const reply = await ask({ method: 'POST', body: JSON.stringify({ id }) });
    if (!reply) return answered;
    // On a busy machine, the function may reach its time limit: that answer promises nothing.
    if (reply.status === 201) answered.push(id);
  }
}

const idsIn = async (reply: Response): Promise<string[]> =>
  ((await reply.json()) as { id: string }[]).map(({ id }) => id);

/** Reads the rows of the others until the host dies. Returns those that it has seen. */
async function read(): Promise<string[]> {
  let seen: string[] = [];
  for (;;) {
    const reply = await ask();
    if (!reply) return seen;
    if (reply.ok) seen = await idsIn(reply).catch(() => seen);
  }
}

test('what a client was told, or has seen of another client, outlives the process', async () => {
  const known = new Set<string>();
  let answers = 0;
  for (const [number, how] of DEATHS) {
    await host.dieAtWrite(number, how, SYNC_MS);
    const writers = Array.from({ length: WRITERS }, (_, writer) => write(`${how} ${number} ${writer}`));
    const [seen, ...answered] = await Promise.all([read(), ...writers]);
    await host.death();
    answers += answered.flat().length;
    for (const id of [seen, answered].flat(2)) known.add(id);
    host = await start();
    const all = await eventually(ask, (reply) => reply?.ok === true);
    const left = new Set(await idsIn(all!));
    expect({ how, number, lost: [...known].filter((id) => !left.has(id)) }).toEqual({
      how,
      number,
      lost: [],
    });
  }
  expect(answers).toBeGreaterThan(0);
});
