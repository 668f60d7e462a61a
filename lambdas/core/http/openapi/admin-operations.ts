import type { Operation } from '../../contracts/routes';
import { DeploymentStatusView, RedriveView } from '../admin-answers';
import { EmptyBody, RedriveBody, StopBody } from '../job';
import type { OperationSpec } from './operation-spec';

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
