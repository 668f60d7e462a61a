import { isHiddenJob, jobKeyOf } from '../../contracts/tables';
import { CLOUD_EVENT_TYPE, type EventSubject, eventHeaders } from '../../domain/cloud-event';
import { ofEndJob } from '../../domain/hidden-job';
import type { HttpTarget } from '../../domain/target';
import type { Delivery } from '../delivery';

/**
 * A delivery as an event of CloudEvents 1.0, if its target asks for that. The attributes say nothing that the
 * delivery does not say elsewhere, so they are not signed.
 */
export function asCloudEvent({ cloudEvents }: HttpTarget, delivery: Delivery): Delivery {
  if (!cloudEvents) return delivery;
  const own = cloudEvents === 'structured' ? { 'content-type': CLOUD_EVENT_TYPE } : attributesOf(delivery);
  return { ...delivery, headers: { ...delivery.headers, ...own } };
}

/** What a hidden job delivers is an event of the job and the execution that its body names. */
function attributesOf({ project, headers, body }: Delivery): Record<string, string> {
  const jobId = headers['quarterjack-job']!;
  const context = { id: headers['webhook-id']!, project, atMs: Date.parse(headers['quarterjack-due']!) };
  const jobKey = jobKeyOf({ userId: project, jobId });
  if (isHiddenJob(jobKey)) {
    const type = ofEndJob(jobKey) ? 'end' : 'notification';
    return eventHeaders({ ...context, type }, JSON.parse(body.toString('utf8')) as EventSubject);
  }
  const execution = { execId: headers['quarterjack-execution']! };
  return eventHeaders({ ...context, type: 'delivery' }, { job: { jobId }, execution });
}
