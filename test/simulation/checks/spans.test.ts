import type { ReceivedSpan } from '../collected';
import type { Story } from '../story';
import { checkSpans } from './spans';

const END_MS = 60 * 60_000;
const JOB = { jobKey: 'alice/job', execId: '20260101T000000.000Z' };
const running = { ...JOB, status: 'running', attempts: [], startedAtMs: 1, attempt: 1 };
const ended = {
  ...running,
  ...{ status: 'succeeded', finishedAtMs: 2, attempts: [{ attempt: 1, fence: 1, target: 0 }] },
};
const attempt = { of: 'attempt', parentSpanId: 'a', fence: 1, target: 0 } as const;
const execution = { of: 'execution', spanId: 'a', ...JOB, status: 'succeeded', userRetries: 0 } as const;

const brokenWith = (unsent: readonly ReceivedSpan[], received: readonly ReceivedSpan[] = []): string[] =>
  checkSpans({
    conditions: { collector: 'failing' },
    endMs: END_MS,
    end: { unsent },
    records: [{ src: 'collector', type: 'received', spans: received, t: 5 }],
    states: new Map([
      [
        `${JOB.jobKey}#${JOB.execId}`,
        [running, ended].map((row, index) => ({ t: index + 1, execution: row })),
      ],
    ]),
  } as unknown as Story).map(({ invariant }) => invariant);

test('spans that the exporter still has to send are on their way, however long ago the execution ended', () => {
  expect(brokenWith([attempt, execution])).toEqual([]);
  expect(brokenWith([attempt], [execution])).toEqual([]);
});

test('spans that are neither in the queue nor with the collector are lost', () => {
  expect(brokenWith([])).toEqual(['span-whole']);
  expect(brokenWith([execution])).toEqual(['span-whole']);
});
