import { PutCommand } from '../../../lambdas/core/store/dynamo/commands';

import { noAnswer } from '../../support/dynamo/errors';
import { memoryTables, TABLES } from '../../support/dynamo/memory-backend';
import { type Faults, MemoryDynamo } from '../../support/dynamo/memory-dynamo';
import { FakeClock } from '../../support/fake-clock';

const WAIT_MS = 3_000;

describe('an aborted request', () => {
  const clock = new FakeClock();

  /** Sends a write and aborts it after one second. Tells when it rejected, and how many rows there are. */
  async function abortWrite(faults: Faults) {
    const tables = memoryTables();
    const client = new MemoryDynamo(tables, { maxAttempts: 3, faults });
    const abort = new AbortController();
    const startMs = clock.monotonicMs();
    const command = new PutCommand({ TableName: TABLES.jobs, Item: { userId: 'alice', jobId: 'a' } });
    const sending = client.send(command, { abortSignal: abort.signal });
    void clock.sleep(1_000).then(() => abort.abort());
    await expect(clock.settle(sending)).rejects.toMatchObject({ name: 'AbortError' });
    const afterMs = clock.monotonicMs() - startMs;
    await clock.advance(10 * WAIT_MS);
    return { afterMs, rows: tables.rows(TABLES.jobs).length };
  }

  it('is not applied if it was on its way', async () => {
    expect(await abortWrite({ before: () => clock.sleep(WAIT_MS) })).toEqual({ afterMs: 1_000, rows: 0 });
  });

  it('stays applied if only its answer was on the way', async () => {
    expect(await abortWrite({ after: () => clock.sleep(WAIT_MS) })).toEqual({ afterMs: 1_000, rows: 1 });
  });

  it('is not tried again', async () => {
    const before = async ({ attempt }: { attempt: number }) => {
      if (attempt === 1) throw noAnswer();
    };
    const faults = { before, backOff: () => clock.sleep(WAIT_MS) };
    expect(await abortWrite(faults)).toEqual({ afterMs: 1_000, rows: 0 });
  });
});
