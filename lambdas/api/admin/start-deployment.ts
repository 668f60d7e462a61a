import { EmptyBody } from '../../core/http/job';
import { statusView } from './deployment-status';
import { readOptionalBody } from '../http/parse-request';
import type { OperationHandler } from '../request';

/**
 * Starts it again, the other way round: once the row is gone, all that is needed to catch up is there. What fell due
 * meanwhile is decided on by each job's misfire policy, by the next tick's scan or a second look.
 */
export const startDeployment: OperationHandler = async (request, deps) => {
  readOptionalBody(request, EmptyBody);
  await deps.tickSwitch.set('on');
  await deps.schedule.writeMaintenance(undefined);
  deps.log.warn('deployment started', { by: request.userId });
  return { status: 200, body: await statusView(deps) };
};
