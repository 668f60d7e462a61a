import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { Instant, orNull } from './answers';
import type { OperationSpec } from './operation-spec';

/*
 * The body of statistics over all jobs. See `answers.ts`: operations import only its types.
 */

const ms = orNull(z.int());

const EndStatsView = z.strictObject({
  counts: z
    .strictObject({ succeeded: z.int(), failed: z.int(), cancelled: z.int(), skipped: z.int() })
    .meta({ description: 'Executions by their last end. A skipped range counts each of its occurrences.' }),
  successRate: orNull(z.number()).meta({
    description: 'Succeeded, of those that succeeded or failed: from 0 to 1; null if none did.',
  }),
  duration: z.strictObject({ p50: ms, p95: ms }).meta({
    description: 'Milliseconds from the start to the end, of those that succeeded or failed.',
  }),
  lateness: z
    .strictObject({ p50: ms, p95: ms, p99: ms, max: ms })
    .meta({ description: 'Milliseconds from the due time to the start. `max` is exact.' }),
  late: z.int().meta({ description: 'How many began more than a second after they were due.' }),
});
export type EndStatsView = z.output<typeof EndStatsView>;

export const StatsView = z
  .strictObject({
    by: z.enum(['hour', 'day']),
    from: Instant.meta({ description: 'Where the first bucket begins.' }),
    to: Instant,
    buckets: z.array(EndStatsView.extend({ from: Instant })).meta({
      description: 'One for each hour or day from `from` on. Empty without the journal of ends.',
    }),
    total: orNull(EndStatsView).meta({ description: 'The whole window; null without the journal.' }),
    resolution: z.number().meta({
      description: 'By how much a percentile may be too high: 0.19 is 19 %. It is never too low.',
    }),
    complete: z.boolean().meta({ description: 'false: there may be more of each.' }),
    incompleteBecause: z.array(z.enum(['time', 'journal', 'retention'])).meta({
      description:
        '`time`: the request took 5 s of CPU, or read 400,000 ends. `journal`: the journal of ends begins after ' +
        'the window does, or there is none. `retention`: older records have been removed.',
    }),
    asOf: Instant.meta({ description: 'What has ended since may be missing.' }),
  })
  .meta({ id: 'Stats', description: 'How executions ended, by the hour or the day in which they were due.' });
export type StatsView = z.output<typeof StatsView>;

const ends = {
  counts: { succeeded: 118, failed: 2, cancelled: 0, skipped: 1 },
  successRate: 118 / 120,
  duration: { p50: 304, p95: 1_025 },
  lateness: { p50: 43, p95: 91, p99: 128, max: 122 },
  late: 0,
};

export const STATS_OPERATIONS = {
  getStats: {
    tag: 'Executions',
    summary: 'Count the ends of executions by hour or day',
    description:
      'From the journal of ends. Without a filter, executions of deleted jobs count too. Percentiles come from fixed ' +
      'buckets.',
    responses: {
      200: {
        description: 'The counts, and percentiles of durations and lateness.',
        schema: StatsView,
        example: {
          by: 'day',
          from: '2026-12-01T00:00:00.000Z',
          to: '2026-12-02T00:00:00.000Z',
          buckets: [{ from: '2026-12-01T00:00:00.000Z', ...ends }],
          total: ends,
          resolution: 0.19,
          complete: true,
          incompleteBecause: [],
          asOf: '2026-12-01T23:59:40.000Z',
        },
      },
    },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
