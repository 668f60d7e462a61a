import { RedriveBody } from '../../core/http/job';
import { audited } from '../audit/audited';
import { readBody } from '../http/parse-request';
import { conflict, invalidField } from '../http/problem';
import type { OperationHandler } from '../request';

/**
 * 200: moves dead letters back to their queue, and says how many. Safe at any time but maintenance: a message
 * is only a hint, and executors drop what they receive in maintenance mode. So that is 409.
 */
export const redriveQueue: OperationHandler = async (request, deps) => {
  const { queues, schedule, log } = deps;
  const { queue, max } = readBody(request, RedriveBody);
  if (!queues.names.includes(queue))
    throw invalidField('queue', `is no queue of this deployment: must be one of ${queues.names.join(', ')}`);
  if (await schedule.readMaintenance())
    throw conflict(
      'maintenance mode is on, and executors would drop the messages; start the deployment first',
    );
  const change = { what: 'queue.redriven', resource: queue, detail: `at most ${max} messages` } as const;
  const moved = await audited(request, change, () => queues.redrive(queue, max), deps);
  log.warn('dead letters moved back', { by: request.by.sub, queue, moved });
  return { status: 200, body: { queue, moved } };
};
