import type { Operation } from '../core/contracts/routes';
import { getBackfill } from './backfills/get-backfill';
import { listAllBackfills, listBackfills } from './backfills/list-backfills';
import { startBackfill } from './backfills/start-backfill';
import { bulk } from './bulk/bulk';
import { cancelExecution } from './executions/cancel-execution';
import { completeAttempt } from './attempts/complete-attempt';
import { createApiKey } from './api-keys/create-api-key';
import { createJob } from './jobs/create-job';
import { createJobs } from './jobs/create-jobs';
import { deleteCalendar } from './calendars/delete-calendar';
import { deleteJob } from './jobs/delete-job';
import { deleteConcurrencyKey } from './concurrency-keys/delete-concurrency-key';
import { getConcurrencyKey } from './concurrency-keys/get-concurrency-key';
import { listConcurrencyKeys } from './concurrency-keys/list-concurrency-keys';
import { putConcurrencyKey } from './concurrency-keys/put-concurrency-key';
import { deleteSecret } from './secrets/delete-secret';
import { deleteJobChange } from './changes/delete-job-change';
import { deleteNotification } from './notifications/delete-notification';
import { failAttempt } from './attempts/fail-attempt';
import { explainOccurrence } from './explain/explain-occurrence';
import { getCalendar } from './calendars/get-calendar';
import { getExecution } from './executions/get-execution';
import { getHealth } from './service/get-health';
import { getJob } from './jobs/get-job';
import { getJobChange } from './changes/get-job-change';
import { getMe } from './project/get-me';
import { getUsage } from './project/get-usage';
import { getJobStats } from './jobs/get-job-stats';
import { getLoad } from './schedules/get-load';
import { getNotification } from './notifications/get-notification';
import { getOpenApi } from './service/get-open-api';
import { getOrderingKey } from './ordering-keys/get-ordering-key';
import { getSecret } from './secrets/get-secret';
import { getSignIn } from './service/get-sign-in';
import { getStatus } from './admin/get-status';
import { getSigningSecret } from './secrets/get-signing-secret';
import { heartbeatAttempt } from './attempts/heartbeat-attempt';
import { listApiKeys } from './api-keys/list-api-keys';
import { listAudit } from './audit/list-audit';
import { listCalendars } from './calendars/list-calendars';
import { listExecutions } from './executions/list-executions';
import { listExecutionsOfJobs } from './executions/search/list-executions-of-jobs';
import { listFailures } from './executions/list-failures';
import { listJobChanges } from './changes/list-job-changes';
import { listJobs } from './jobs/list-jobs';
import { listNotifications } from './notifications/list-notifications';
import { listSecrets } from './secrets/list-secrets';
import { listUpcoming } from './schedules/list-upcoming';
import { listUpcomingOfJobs } from './schedules/list-upcoming-of-jobs';
import { lookupExecutions } from './executions/lookup-executions';
import { patchJob } from './jobs/patch-job';
import { pauseJob, resumeJob } from './jobs/pause-resume-job';
import { previewSchedule } from './schedules/preview-schedule';
import { putCalendar } from './calendars/put-calendar';
import { putJob } from './jobs/put-job';
import { putNotification } from './notifications/put-notification';
import { putSecret } from './secrets/put-secret';
import { revokeApiKey, revokeApiKeys } from './api-keys/revoke-api-keys';
import { restoreJob } from './changes/restore-job';
import { retryExecution } from './executions/retry-execution';
import { redriveQueue } from './admin/redrive-queue';
import { rotateSigningSecret } from './secrets/rotate-signing-secret';
import { sendEvent } from './events/send-event';
import { testNotification } from './notifications/test-notification';
import { startDeployment } from './admin/start-deployment';
import { stopDeployment } from './admin/stop-deployment';
import { runJob } from './executions/run-job';
import { unblockOrderingKey } from './ordering-keys/unblock-ordering-key';
import type { OperationHandler } from './request';
import { approveTask, rejectTask } from './runs/approve-task';
import { pauseRun, resumeRun } from './runs/pause-run';
import { listWaiting } from './runs/list-waiting';
import { retryTask } from './runs/retry-task';
import { skipTask } from './runs/skip-task';
import { checkWorkflow } from './runs/check-workflow';
import { listTasks } from './runs/list-tasks';
import { getTask } from './runs/get-task';
import { getItem, listItems } from './runs/items';
import { cancelTask } from './runs/cancel-task';
import { listVersions } from './runs/list-versions';
import { getVersion } from './runs/get-version';
import { appendLog } from './logs/append-log';
import { getExecutionLog, getTaskLog } from './logs/get-log';
import { claimWork } from './work/claim-work';
import { getWorkQueue } from './work/get-work-queue';
import { listWorkQueues } from './work/list-work-queues';
import { releaseWork } from './work/release-work';

/** The operation of each route. */
export const OPERATIONS: Readonly<Record<Operation, OperationHandler>> = {
  bulk,
  cancelExecution,
  completeAttempt,
  createApiKey,
  createJob,
  createJobs,
  deleteCalendar,
  deleteConcurrencyKey,
  deleteJob,
  deleteSecret,
  deleteJobChange,
  explainOccurrence,
  deleteNotification,
  failAttempt,
  getBackfill,
  getCalendar,
  getExecution,
  getHealth,
  getJob,
  getJobChange,
  getMe,
  getUsage,
  getJobStats,
  getLoad,
  getNotification,
  getOpenApi,
  getOrderingKey,
  getConcurrencyKey,
  getSecret,
  getSignIn,
  getSigningSecret,
  heartbeatAttempt,
  getStatus,
  listApiKeys,
  listAudit,
  listAllBackfills,
  listBackfills,
  listCalendars,
  listExecutions,
  listExecutionsOfJobs,
  listFailures,
  listJobChanges,
  listJobs,
  listNotifications,
  listConcurrencyKeys,
  listSecrets,
  listUpcoming,
  listUpcomingOfJobs,
  lookupExecutions,
  patchJob,
  pauseJob,
  previewSchedule,
  putCalendar,
  putJob,
  putNotification,
  putConcurrencyKey,
  putSecret,
  redriveQueue,
  restoreJob,
  resumeJob,
  retryExecution,
  revokeApiKey,
  revokeApiKeys,
  rotateSigningSecret,
  runJob,
  sendEvent,
  testNotification,
  startBackfill,
  startDeployment,
  stopDeployment,
  unblockOrderingKey,
  checkWorkflow,
  pauseRun,
  resumeRun,
  skipTask,
  retryTask,
  approveTask,
  rejectTask,
  listWaiting,
  listTasks,
  getTask,
  listItems,
  getItem,
  cancelTask,
  listVersions,
  getVersion,
  appendLog,
  claimWork,
  getExecutionLog,
  getTaskLog,
  getWorkQueue,
  listWorkQueues,
  releaseWork,
};
