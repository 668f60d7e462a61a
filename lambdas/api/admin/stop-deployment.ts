import { StopBody } from '../../core/http/job';
import { statusView } from './status-view';
import { readOptionalBody } from '../http/parse-request';
import type { OperationHandler } from '../request';

/**
 * 200: stops planned work for maintenance. The row is written first: it stops all sends, even if turning the
 * tick off fails. It is then put on record. A repeat completes a stop that failed half-way, and changes
 * nothing else.
 */
export const stopDeployment: OperationHandler = async (request, deps) => {
  const { reason } = readOptionalBody(request, StopBody);
  const now = { sinceMs: deps.clock.nowMs(), by: request.by.sub, ...(reason !== undefined && { reason }) };
  const stop = (await deps.schedule.readMaintenance()) ?? now;
  await deps.schedule.writeMaintenance(stop);
  await deps.schedule.putStop(stop);
  await deps.tickSwitch.set('off');
  deps.log.warn('deployment stopped', { by: stop.by });
  return { status: 200, body: await statusView(deps) };
};
