import * as z from 'zod/mini';

import { MAX_CHUNK_NUMBER } from '../contracts/work-keys';
import { described, textUpTo, wholeNumber } from './fields';
import { digits, instant } from './query-fields';

/** Upper bound on the text of one chunk, in bytes of UTF-8. */
export const MAX_CHUNK_BYTES = 65_536;
const MAX_LINES = 10_000;
const LINES_ALLOWED = `must have 1 to ${MAX_LINES} lines`;
export const LOG_STREAMS = ['stdout', 'stderr'] as const;
const MAX_LINES_A_PAGE = 1_000;

const LogLine = z.strictObject({
  at: described(z.optional(instant), { description: 'Default: when the chunk arrives.' }),
  stream: z._default(z.enum(LOG_STREAMS), 'stdout'),
  text: described(
    z.string().check(z.maxLength(MAX_CHUNK_BYTES, `must have at most ${MAX_CHUNK_BYTES} characters`)),
    { description: 'One line, without its line feed. Control characters are kept as they are.' },
  ),
});

/** Body of `POST /v1/attempts/log`. */
export const LogBody = described(
  z.strictObject({
    chunk: described(wholeNumber(0, MAX_CHUNK_NUMBER), {
      description:
        'Number of the chunk: it orders the chunks of the attempt. A repeated number needs equal lines.',
    }),
    lines: described(
      z.array(LogLine).check(z.minLength(1, LINES_ALLOWED), z.maxLength(MAX_LINES, LINES_ALLOWED)),
      { description: `Their text has at most ${MAX_CHUNK_BYTES} bytes together.` },
    ),
  }),
  { id: 'LogChunk' },
);
export type LogBody = z.output<typeof LogBody>;

const logPage = {
  attempt: described(z.optional(digits(1, 1_000_000)), { description: 'Only this attempt. Default: all.' }),
  after: described(z.optional(textUpTo(4_096)), {
    description: 'The `nextCursor` of a page of the same log with the same filters.',
  }),
  limit: described(z._default(digits(1, MAX_LINES_A_PAGE), 200), { description: 'Lines on a page.' }),
};

export const ExecutionLogQuery = z.strictObject(logPage);
export const TaskLogQuery = z.strictObject({
  ...logPage,
  round: described(z.optional(digits(1, 1_000)), { description: 'Default: the round that counts.' }),
  item: described(z.optional(digits(0, 9_999)), {
    description: 'Only of a task with forEach: the index of an item.',
  }),
});
export type LogQuery = z.output<typeof TaskLogQuery>;
