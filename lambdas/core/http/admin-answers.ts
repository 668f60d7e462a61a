import * as z from 'zod';

import { Instant, orNull } from './answers';

// Bodies of responses to operators. As in `answers.ts`, operations import only their types.

const CursorView = z
  .strictObject({
    lagSec: orNull(z.int()).meta({
      description: 'Lag in seconds of the shard that is furthest behind; 0 if no shard is behind.',
    }),
    shards: z.array(
      z.strictObject({
        shard: z.int(),
        at: orNull(Instant).meta({
          description: 'All entries before this time are done. null before the first tick.',
        }),
        lagSec: orNull(z.int()),
      }),
    ),
  })
  .meta({ id: 'Cursors' });
export type CursorView = z.output<typeof CursorView>;

const QueueView = z
  .strictObject({
    name: z.string().meta({ description: 'Pool and lane, or `scan` or `sweep`.' }),
    waiting: z
      .int()
      .meta({ description: 'Messages that no function has received; delayed ones do not count.' }),
    inFlight: z.int(),
    dead: z.int().meta({ description: 'Messages of its dead-letter queue.' }),
    oldestSec: orNull(z.int()).meta({
      description:
        '0 if no message waits. Otherwise how many seconds ago the oldest message was sent that is not deleted: one ' +
        'that waits, or one in work. Messages are sent ahead of their time, so it is no lateness. The value is that ' +
        'of CloudWatch (ApproximateAgeOfOldestMessage), up to two minutes old. null if CloudWatch has no value yet, ' +
        'or does not answer.',
    }),
  })
  .meta({ id: 'QueueStatus', description: 'Counts are approximate, as SQS reports them.' });

const StopView = z
  .strictObject({
    stoppedAt: Instant,
    startedAt: orNull(Instant),
    by: z.string(),
    startedBy: orNull(z.string()),
    reason: orNull(z.string()),
  })
  .meta({ id: 'Stop' });

export const DeploymentStatusView = z
  .strictObject({
    state: z.enum(['running', 'stopped']),
    stoppedAt: orNull(Instant),
    stoppedBy: orNull(z.string()),
    tick: z
      .enum(['on', 'off'])
      .meta({ description: 'Whether the schedule that starts a scan each minute is enabled.' }),
    shards: z.int(),
    scan: CursorView,
    sweep: CursorView,
    queues: z.array(QueueView),
    stops: z
      .array(StopView)
      .meta({ description: 'The last 50 stops, the newest first; also the one that has not ended.' }),
    dashboardUrl: z.string().meta({
      description:
        'Where the metrics of the deployment are drawn, in the console of AWS: a URL. In a local run it is a path at ' +
        'the origin of the API.',
    }),
  })
  .meta({ id: 'DeploymentStatus' });
export type DeploymentStatusView = z.output<typeof DeploymentStatusView>;

export const RedriveView = z
  .strictObject({ queue: z.string(), moved: z.int() })
  .meta({ id: 'Redrive', description: 'How many dead letters moved back to the queue.' });
