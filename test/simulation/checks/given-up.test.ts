import type { GivenUpRecord, LogRecord } from '../log';
import { checkGivenUp } from './given-up';

const write = {
  src: 'store',
  type: 'given-up',
  node: 'api-1',
  command: 'PutCommand',
  table: 'jobs',
} as const;
const landed = (by: GivenUpRecord['by'], givenUpMs: number, begunMs: number): LogRecord[] => [
  { n: 0, t: 5_000, ...write, by, givenUpMs, begunMs },
];
const brokenBy = (records: LogRecord[]) => checkGivenUp({ records }).map(({ invariant }) => invariant);

test.each(['abort', 'answer', 'deadline'] as const)('what was on its way before the %s may land', (by) => {
  expect(brokenBy(landed(by, 1_000, 999))).toEqual([]);
});

test.each(['abort', 'answer', 'deadline'] as const)('no try begins after the %s', (by) => {
  expect(brokenBy(landed(by, 1_000, 1_001))).toEqual(['given-up']);
});

test('a node may die at the instant at which it begins a write', () => {
  expect(brokenBy(landed('answer', 1_000, 1_000))).toEqual([]);
});

test.each(['abort', 'deadline'] as const)('no try begins at the instant of the %s', (by) => {
  expect(brokenBy(landed(by, 1_000, 1_000))).toEqual(['given-up']);
});
