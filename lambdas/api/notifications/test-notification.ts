import { fileMessage, runIdOf } from '../../core/alerts/file-message';
import { testMessage } from '../../core/alerts/message';
import { jobRefOf } from '../../core/contracts/tables';
import { EmptyBody } from '../../core/http/job';
import type { NotificationTestView } from '../../core/http/notification-answers';
import { readOptionalBody } from '../http/parse-request';
import { deliveryDepthOf } from '../http/loop-guard';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';
import { requestedNotification } from './notification-view';

/** 202 with the execution that delivers a test message. It counts as a run. */
export async function testNotification(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  readOptionalBody(request, EmptyBody);
  const deliveryDepth = deliveryDepthOf(request) ?? 0;
  const notification = await requestedNotification(request, deps);
  const { project, id } = notification;
  await deps.quotas.chargeRate(project, 'runs');
  const atMs = deps.clock.nowMs();
  const execId = runIdOf(atMs, [id, 'test', deps.random.id()]);
  const message = testMessage({ notification: id, project, consoleUrl: deps.alerting.consoleUrl });
  const { jobKey } = await fileMessage(notification, { execId, atMs, message, deliveryDepth }, deps);
  const body: NotificationTestView = { jobId: jobRefOf(jobKey).jobId, execId };
  return { status: 202, body };
}
