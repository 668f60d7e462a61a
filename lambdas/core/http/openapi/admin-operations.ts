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
    summary: 'See whether the deployment works',
    description: 'Whether it is stopped, and how far each shard has come.',
    answers: { 200: { description: 'The status.', schema: DeploymentStatusView, example: running } },
  },
  stopDeployment: {
    tag: 'Operations',
    summary: 'Stop planned work, for maintenance',
    description:
      'After 15 seconds nothing new starts, of no user; what runs ends. Jobs can be made and changed meanwhile, and nothing is lost.',
    body: { schema: EmptyBody, required: false, example: {} },
    answers: { 200: { description: 'The status, stopped.', schema: DeploymentStatusView, example: stopped } },
  },
  startDeployment: {
    tag: 'Operations',
    summary: 'Start it again',
    description: 'What fell due meanwhile is decided on by each job’s misfire policy.',
    body: { schema: EmptyBody, required: false, example: {} },
    answers: { 200: { description: 'The status, running.', schema: DeploymentStatusView, example: running } },
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
