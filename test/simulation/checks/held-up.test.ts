import type { Story } from '../story';
import { waitsForOrderingKey } from './held-up';

const QUEUE = '#ordering#alice/key';
const END_MS = 60 * 60_000;

const ticket = (execId: string, exists: boolean, t: number) =>
  ({
    src: 'table',
    type: 'ticket',
    queue: QUEUE,
    sort: `${execId}#job`,
    jobKey: 'alice/job',
    execId,
    exists,
    t,
  }) as const;

const storyOf = (...records: ReturnType<typeof ticket>[]) =>
  ({ records, endMs: END_MS }) as unknown as Pick<Story, 'records' | 'endMs'>;

const waits = (...records: ReturnType<typeof ticket>[]) =>
  waitsForOrderingKey('alice/job#2', storyOf(...records));

test('an execution waits for its ordering key while those before it still acquire it', () => {
  const both = [ticket('1', true, 0), ticket('2', true, 0)];
  expect(waits(...both, ticket('1', false, END_MS - 60_000))).toBe(true);
  expect(waits(...both, ticket('1', false, END_MS - 30 * 60_000))).toBe(false);
  expect(waits(...both)).toBe(false);
});

test('one that was passed over does not, nor one without a ticket', () => {
  const both = [ticket('2', true, 0), ticket('3', true, 0)];
  expect(waits(...both, ticket('3', false, END_MS))).toBe(false);
  expect(waits(ticket('1', true, 0), ticket('1', false, END_MS))).toBe(false);
});
