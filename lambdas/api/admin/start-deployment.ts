import { EmptyBody } from '../../core/http/job';
import { statusView } from './status-view';
import { readOptionalBody } from '../http/parse-request';
import type { OperationHandler } from '../request';

/**
 * 200: ends maintenance, in the reverse order of the stop. Once the row is gone, the next scans and sweeps
 * catch up. The misfire policy of each job decides about the occurrences that fell due meanwhile.
 */
export const startDeployment: OperationHandler = async (request, deps) => {
  readOptionalBody(request, EmptyBody);
  await deps.tickSwitch.set('on');
  const stop = await deps.schedule.readMaintenance();
  if (stop)
    await deps.schedule.putStop({ ...stop, startedAtMs: deps.clock.nowMs(), startedBy: request.by.sub });
  await deps.schedule.writeMaintenance(undefined);
  deps.log.warn('deployment started', { by: request.by.sub });
  return { status: 200, body: await statusView(deps) };
};
