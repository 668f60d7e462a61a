import { setImmediate } from 'node:timers/promises';

import type { TableAccess } from '../../../../../lambdas/core/store/dynamo/access';
import { createCursors } from '../../../../../lambdas/core/store/dynamo/cursors';
import { dynamoUsesStore } from '../../../../../lambdas/core/store/dynamo/dynamo-uses-store';

/** A table whose first write fails at once. The second one is under way until the test ends it. */
function slowTable() {
  let end = (): void => undefined;
  let sent = 0;
  const send = () =>
    ++sent === 1 ? Promise.reject(new Error('refused')) : new Promise<void>((resolve) => (end = resolve));
  const access = { table: 'rows', documents: { send } } as unknown as TableAccess;
  return { access, sent: () => sent, end: () => end() };
}

const use = { userId: 'alice', kind: 'calendar', jobId: 'nightly', atMs: 1 } as const;
const cursor = { kind: 'scan', minute: 1, after: '', movedAtMs: 0, entriesInLastBucket: 0 } as const;

test.each([
  [
    'uses',
    (access: TableAccess) =>
      dynamoUsesStore(access).put([
        { ...use, name: 'days' },
        { ...use, name: 'nights' },
      ]),
  ],
  [
    'cursors',
    (access: TableAccess) =>
      createCursors(access, [
        { ...cursor, shard: 0 },
        { ...cursor, shard: 1_000 },
      ]),
  ],
])('a failure of one row comes when the other writes have ended: %s', async (_, write) => {
  const table = slowTable();
  let failure: unknown;
  const written = write(table.access).catch((error: unknown) => (failure = error));
  await setImmediate();
  expect(table.sent()).toBe(2);
  expect(failure).toBeUndefined();
  table.end();
  await written;
  expect(failure).toEqual(new Error('refused'));
});
