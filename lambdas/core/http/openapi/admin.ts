import * as z from 'zod';

import type { Operation } from '../../contracts/routes';
import { EmptyBody } from '../job';
import { RedriveBody, StopBody } from '../operator-bodies';
import { Instant, orNull } from './answers';
import type { OperationSpec } from './operation-spec';

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

const RedriveView = z
  .strictObject({ queue: z.string(), moved: z.int() })
  .meta({ id: 'Redrive', description: 'How many dead letters moved back to the queue.' });

const cursors = {
  lagSec: 0,
  shards: [
    { shard: 0, at: '2026-12-01T08:33:00.000Z', lagSec: 0 },
    { shard: 1, at: '2026-12-01T08:33:00.000Z', lagSec: 0 },
  ],
};
const running = {
  state: 'running',
  stoppedAt: null,
  stoppedBy: null,
  tick: 'on',
  shards: 2,
  scan: cursors,
  sweep: cursors,
  queues: [
    { name: 'default/medium', waiting: 3, inFlight: 20, dead: 1, oldestSec: 412 },
    { name: 'scan', waiting: 0, inFlight: 0, dead: 0, oldestSec: 0 },
  ],
  stops: [
    {
      stoppedAt: '2026-11-30T22:00:00.000Z',
      startedAt: '2026-11-30T22:20:00.000Z',
      by: 'operator-1',
      startedBy: 'operator-2',
      reason: 'move of the billing database',
    },
  ],
  dashboardUrl:
    'https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1' +
    '#dashboards/dashboard/Quarterjack-prod-eu-central-1',
};
const stopped = {
  ...running,
  state: 'stopped',
  stoppedAt: '2026-12-01T08:30:00.000Z',
  stoppedBy: 'operator-1',
  tick: 'off',
  stops: [
    {
      stoppedAt: '2026-12-01T08:30:00.000Z',
      startedAt: null,
      by: 'operator-1',
      startedBy: null,
      reason: null,
    },
    ...running.stops,
  ],
};

export const ADMIN_OPERATIONS = {
  getStatus: {
    tag: 'Operations',
    summary: 'Get the status of the deployment',
    description:
      'Whether the deployment is in maintenance mode, and how far each shard has been scanned and swept. ' +
      'What is in each queue, the last stops, and where its metrics are drawn.',
    responses: { 200: { description: 'The status.', schema: DeploymentStatusView, example: running } },
  },
  stopDeployment: {
    tag: 'Operations',
    summary: 'Enter maintenance mode',
    description:
      'Stops planned work for all users: after 15 seconds no new execution starts, and running ones end. ' +
      'Jobs can still be created and changed, and no work is lost.',
    body: { schema: StopBody, required: false, example: { reason: 'move of the billing database' } },
    responses: {
      200: {
        description: 'The status, with the state stopped.',
        schema: DeploymentStatusView,
        example: stopped,
      },
    },
  },
  startDeployment: {
    tag: 'Operations',
    summary: 'Leave maintenance mode',
    description:
      'Starts planned work again. For occurrences that became due in the meantime, the misfire policy of each job decides.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      200: {
        description: 'The status, with the state running.',
        schema: DeploymentStatusView,
        example: running,
      },
    },
  },
  redriveQueue: {
    tag: 'Operations',
    summary: 'Move dead letters back to their queue',
    description:
      'Moves at most `max` messages of a dead-letter queue back to its queue, and stops after 20 s. It is safe to repeat: ' +
      'an execution that has ended is not run again. In maintenance mode it is a conflict.',
    body: { schema: RedriveBody, required: true, example: { queue: 'default/medium', max: 100 } },
    responses: {
      200: {
        description:
          'How many messages moved. Fewer than `max`: the dead-letter queue is empty, or the time was up.',
        schema: RedriveView,
        example: { queue: 'default/medium', moved: 1 },
      },
    },
    problems: [409],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
