import { type FollowUpSource, followUps } from '../../../../lambdas/core/domain/follow-ups';

const KEY = 'release-ordering-key';
const LOCK = 'release-overlap-lock';

test.each<[why: string, row: FollowUpSource, expected: string[]]>([
  ['a plain job pays nothing', { status: 'succeeded' }, []],
  ['its ordering key', { status: 'succeeded', orderingKey: 'k' }, [KEY]],
  ['its job’s lock', { status: 'succeeded', occupiesJob: true }, [LOCK]],
  ['both, the lock first', { status: 'failed', orderingKey: 'k', occupiesJob: true }, [LOCK, KEY]],
  ['however it ended', { status: 'cancelled', orderingKey: 'k' }, [KEY]],
  ['also where it never ran', { status: 'skipped', orderingKey: 'k' }, [KEY]],
  ['a failure that blocks keeps the key', { status: 'failed', orderingKey: 'k', blocksKey: true }, []],
  [
    'and releases the lock',
    { status: 'failed', orderingKey: 'k', blocksKey: true, occupiesJob: true },
    [LOCK],
  ],
  ['who waits for it', { status: 'skipped', awaited: true }, ['start-waiters', 'ask-awaits']],
  ['none before the end: running', { status: 'running', orderingKey: 'k', occupiesJob: true }, []],
  ['none before the end: retrying', { status: 'retrying', orderingKey: 'k', occupiesJob: true }, []],
  ['none before the end: queued', { status: 'queued', orderingKey: 'k' }, []],
])('%s', (_, row, expected) => {
  expect(followUps(row)).toEqual(expected);
});
