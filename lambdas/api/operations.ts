import type { Operation } from '../core/contracts/routes';
import { getBackfill, listAllBackfills, listBackfills } from './backfills/backfills';
import { startBackfill } from './backfills/start-backfill';
import { bulk } from './bulk/bulk';
import { cancelExecution } from './executions/cancel-execution';
import { cancelKeyedRun } from './executions/cancel-keyed-run';
import { completeAttempt, failAttempt, heartbeatAttempt } from './attempts/attempts';
import { createApiKey, listApiKeys, revokeApiKey, revokeApiKeys } from './api-keys/api-keys';
import { createJob } from './jobs/create-job';
import { createJobs } from './jobs/create-jobs';
import { deleteCalendar, getCalendar, listCalendars } from './calendars/calendars';
import { deleteJob } from './jobs/delete-job';
import {
  deleteConcurrencyKey,
  getConcurrencyKey,
  listConcurrencyKeys,
  putConcurrencyKey,
} from './concurrency-keys/concurrency-keys';
import { deleteSecret, getSecret, listSecrets, putSecret } from './secrets/secrets';
import { deleteJobChange, getJobChange, listJobChanges } from './changes/changes';
import {
  deleteNotification,
  getNotification,
  listNotifications,
  putNotification,
  testNotification,
} from './notifications/notifications';
import { explainOccurrence } from './explain/explain-occurrence';
import { getExecution, lookupExecutions } from './executions/get-execution';
import { getApiVersion, getHealth, getOpenApi, getProblem, getSignIn } from './service/service';
import { getJob, listJobs } from './jobs/read-jobs';
import { getMe } from './project/get-me';
import { getUsage } from './project/usage';
import { getJobStats } from './jobs/get-job-stats';
import { getLoad } from './schedules/get-load';
import { getOrderingKey, unblockOrderingKey } from './ordering-keys/ordering-keys';
import { getStatus, redriveQueue, startDeployment, stopDeployment } from './admin/deployment';
import { getPingKey, rotatePingKey } from './pings/ping-keys';
import {
  deleteProjectPingKey,
  getProjectPingKey,
  putProjectPingKey,
  rotateProjectPingKey,
} from './pings/project-ping-key';
import { provisionMonitor } from './pings/provision-monitor';
import { getSigningSecret, rotateSigningSecret } from './secrets/signing-secrets';
import { listAudit } from './audit/list-audit';
import { listExecutions } from './executions/list-executions';
import { getStats } from './executions/stats/get-stats';
import { listExecutionsOfJobs } from './executions/search/list-executions-of-jobs';
import { deleteFailureAck, listFailureAcks, putFailureAck } from './executions/failure-acks';
import { listFailures } from './executions/list-failures';
import { listUpcoming, previewSchedule } from './schedules/schedules';
import { listUpcomingOfJobs } from './schedules/list-upcoming-of-jobs';
import { patchJob } from './jobs/patch-job';
import { pauseJob, resumeJob } from './jobs/pause-resume-job';
import { putCalendar } from './calendars/put-calendar';
import { putJob } from './jobs/put-job';
import { restoreJob } from './changes/restore-job';
import { retryExecution } from './executions/retry-execution';
import { sendEvent } from './events/send-event';
import { runJob } from './executions/run-job';
import { runJobMany } from './executions/run-job-many';
import type { OperationHandler } from './request';
import { approveTask, rejectTask } from './runs/approve-task';
import { pauseRun, resumeRun } from './runs/pause-run';
import { listWaiting } from './runs/list-waiting';
import { retryTask } from './runs/retry-task';
import { skipTask } from './runs/skip-task';
import { checkWorkflow } from './runs/check-workflow';
import { listTasks, getTask } from './runs/tasks';
import { getItem, listItems } from './runs/items';
import { cancelTask } from './runs/cancel-task';
import { listVersions, getVersion } from './runs/versions';
import { appendLog } from './logs/append-log';
import { getExecutionLog, getTaskLog } from './logs/get-log';
import { claimWork } from './work/claim-work';
import { getWorkQueue, listWorkQueues } from './work/work-queues';
import { releaseWork } from './work/release-work';

/** The operation of each route. */
export const OPERATIONS: Readonly<Record<Operation, OperationHandler>> = {
  bulk,
  cancelExecution,
  cancelKeyedRun,
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
  getPingKey,
  rotatePingKey,
  getProjectPingKey,
  putProjectPingKey,
  deleteProjectPingKey,
  rotateProjectPingKey,
  provisionMonitor,
  getMe,
  getUsage,
  getJobStats,
  getLoad,
  getNotification,
  getOpenApi,
  getOrderingKey,
  getConcurrencyKey,
  getSecret,
  getApiVersion,
  getProblem,
  getSignIn,
  getSigningSecret,
  heartbeatAttempt,
  getStats,
  getStatus,
  listApiKeys,
  listAudit,
  listAllBackfills,
  listBackfills,
  listCalendars,
  listExecutions,
  listExecutionsOfJobs,
  listFailures,
  listFailureAcks,
  putFailureAck,
  deleteFailureAck,
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
  runJobMany,
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
