import { EmptyBody } from '../../core/http/job';
import { statusView } from './deployment-status';
import { readOptionalBody } from '../http/parse-request';
import type { OperationHandler } from '../request';

/**
 * Stops planned work for maintenance. The row comes first: from then on nobody sends anything, whether or not the tick
 * could be turned off. A repeat changes nothing but mends a stop that was cut off half-way.
 */
export const stopDeployment: OperationHandler = async (request, deps) => {
  readOptionalBody(request, EmptyBody);
  const stop = (await deps.schedule.readMaintenance()) ?? { sinceMs: deps.clock.nowMs(), by: request.userId };
  await deps.schedule.writeMaintenance(stop);
  await deps.tickSwitch.set('off');
  deps.log.warn('deployment stopped', { by: stop.by });
  return { status: 200, body: await statusView(deps) };
};
