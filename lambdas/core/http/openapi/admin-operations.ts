import type { Operation } from '../../contracts/routes';
import { DeploymentStatusView } from '../answers';
import { EmptyBody } from '../job';
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
};
const stopped = {
  ...running,
  state: 'stopped',
  stoppedAt: '2026-12-01T08:30:00.000Z',
  stoppedBy: 'operator-1',
  tick: 'off',
};

export const ADMIN_OPERATIONS = {
  getStatus: {
    tag: 'Operations',
    summary: 'Get the status of the deployment',
    description:
      'Whether the deployment is in maintenance mode, and how far each shard has been scanned and swept.',
    responses: { 200: { description: 'The status.', schema: DeploymentStatusView, example: running } },
  },
  stopDeployment: {
    tag: 'Operations',
    summary: 'Enter maintenance mode',
    description:
      'Stops planned work for all users: after 15 seconds no new execution starts, and running ones end. ' +
      'Jobs can still be created and changed, and no work is lost.',
    body: { schema: EmptyBody, required: false, example: {} },
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
} satisfies Partial<Record<Operation, OperationSpec>>;
