import type { Operation } from '../core/contracts/routes';
import { cancelExecution } from './operations/cancel-execution';
import { completeAttempt } from './operations/complete-attempt';
import { createJob } from './operations/create-job';
import { createJobs } from './operations/create-jobs';
import { deleteJob } from './operations/delete-job';
import { failAttempt } from './operations/fail-attempt';
import { getExecution } from './operations/get-execution';
import { getHealth } from './operations/get-health';
import { getJob } from './operations/get-job';
import { getOpenApi } from './operations/get-open-api';
import { getOrderingKey } from './operations/get-ordering-key';
import { getStatus } from './operations/get-status';
import { getSigningSecret } from './operations/get-signing-secret';
import { heartbeatAttempt } from './operations/heartbeat-attempt';
import { listExecutions } from './operations/list-executions';
import { listFailures } from './operations/list-failures';
import { listJobs } from './operations/list-jobs';
import { listUpcoming } from './operations/list-upcoming';
import { patchJob } from './operations/patch-job';
import { pauseJob } from './operations/pause-job';
import { previewSchedule } from './operations/preview-schedule';
import { putJob } from './operations/put-job';
import { resumeJob } from './operations/resume-job';
import { retryExecution } from './operations/retry-execution';
import { rotateSigningSecret } from './operations/rotate-signing-secret';
import { startDeployment } from './operations/start-deployment';
import { stopDeployment } from './operations/stop-deployment';
import { runJob } from './operations/run-job';
import { unblockOrderingKey } from './operations/unblock-ordering-key';
import type { OperationHandler } from './request';

/** What each route does. */
export const OPERATIONS: Readonly<Record<Operation, OperationHandler>> = {
  cancelExecution,
  completeAttempt,
  createJob,
  createJobs,
  deleteJob,
  failAttempt,
  getExecution,
  getHealth,
  getJob,
  getOpenApi,
  getOrderingKey,
  getSigningSecret,
  heartbeatAttempt,
  getStatus,
  listExecutions,
  listFailures,
  listJobs,
  listUpcoming,
  patchJob,
  pauseJob,
  previewSchedule,
  putJob,
  resumeJob,
  retryExecution,
  rotateSigningSecret,
  runJob,
  startDeployment,
  stopDeployment,
  unblockOrderingKey,
};
