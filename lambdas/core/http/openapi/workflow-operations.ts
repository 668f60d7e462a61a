import type { Operation } from '../../contracts/routes';
import { ExecutionView } from '../execution-answers';
import { EmptyBody } from '../job';
import {
  TaskDetailView,
  TaskPage,
  VersionPage,
  VersionView,
  WaitingPage,
  WorkflowCheckView,
} from '../workflow-answers';
import { ApproveBody, CheckWorkflowBody, RetryTaskBody, SkipTaskBody } from '../workflow-queries';
import { execution } from './examples';
import type { OperationSpec } from './operation-spec';

const extract = {
  taskId: 'extract',
  kind: 'call',
  status: 'succeeded',
  reason: null,
  because: [],
  dependsOn: [],
  round: 1,
  startedAt: '2026-12-01T01:00:00.120Z',
  finishedAt: '2026-12-01T01:00:04.310Z',
  attempts: 1,
  result: { statusCode: 200, body: 'ok' },
};

const load = {
  ...extract,
  taskId: 'load',
  status: 'running',
  dependsOn: ['extract'],
  startedAt: '2026-12-01T01:00:04.360Z',
  finishedAt: null,
  attempts: 0,
  result: null,
};

const attempt = {
  attempt: 1,
  fence: 1,
  startedAt: '2026-12-01T01:00:00.131Z',
  finishedAt: '2026-12-01T01:00:04.305Z',
  outcome: 'succeeded',
  target: 0,
  statusCode: 200,
  error: null,
};

const version = {
  version: 'k3J9xQ2m1pZr8sT0vWyA1B',
  number: 12,
  savedAt: '2026-11-30T16:20:11.084Z',
  isCurrent: true,
};

const workflow = {
  onTaskFailure: 'continue',
  tasks: {
    extract: {
      dependsOn: [],
      join: 'all',
      allowFailure: false,
      enabled: true,
      target: {
        type: 'http',
        url: 'https://etl.example.com/extract',
        method: 'POST',
        headers: {},
        timeout: '30s',
        mode: 'sync',
      },
      input: { day: '{{ run.day }}' },
    },
  },
};

const approved = {
  ...extract,
  taskId: 'release',
  kind: 'approval',
  startedAt: null,
  attempts: 0,
  result: null,
  attemptList: [],
  heartbeatAt: null,
  decided: {
    by: { sub: 'alice', name: 'alice@example.com', via: 'token' },
    at: '2026-12-01T08:20:00.000Z',
    comment: 'checked',
  },
};

const runningRun = {
  ...execution,
  status: 'running',
  finishedAt: null,
  result: null,
  workflow: {
    version: 'k3J9xQ2m1pZr8sT0vWyA1B',
    number: 12,
    phase: 'running',
    heldAt: null,
    startedAt: '2026-12-01T01:00:00.110Z',
    endsAt: '2026-12-01T07:00:00.110Z',
    stopping: null,
    moves: 3,
  },
};
const heldRun = {
  ...runningRun,
  workflow: { ...runningRun.workflow, phase: 'held', heldAt: '2026-12-01T01:04:00.000Z' },
};

export const WORKFLOW_OPERATIONS = {
  checkWorkflow: {
    tag: 'Workflows',
    summary: 'Check a workflow',
    description:
      'Checks a workflow as in a job, and shows what each task would get. Nothing is written. Faults of the workflow ' +
      'are part of the answer, with status 200.',
    body: {
      schema: CheckWorkflowBody,
      required: true,
      example: {
        workflow: {
          params: { region: 'eu' },
          tasks: {
            extract: {
              target: { type: 'http', url: 'https://etl.example.com/extract' },
              input: { region: '{{ params.region }}' },
            },
          },
        },
        params: { region: 'us' },
      },
    },
    responses: {
      200: {
        description: 'What is wrong with it, or what its tasks would get.',
        schema: WorkflowCheckView,
        example: {
          errors: [],
          levels: [['extract']],
          rendered: { extract: { region: 'us' } },
          unrendered: {},
          estimate: { writes: 7, dollars: 0.000004375 },
        },
      },
    },
  },
  pauseRun: {
    tag: 'Workflows',
    summary: 'Pause a run',
    description:
      'Once this has answered, no task of the run begins to call. What is being called finishes. The end of its time ' +
      'moves by the time that it is held.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: { 202: { description: 'The run.', schema: ExecutionView, example: heldRun } },
    problems: [404, 409],
  },
  resumeRun: {
    tag: 'Workflows',
    summary: 'Resume a run',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: { 202: { description: 'The run.', schema: ExecutionView, example: runningRun } },
    problems: [404, 409],
  },
  retryTask: {
    tag: 'Workflows',
    summary: 'Retry a task of a running run',
    description:
      'The task runs again in its next round, and what follows on it too. What it did before stays on record. If ' +
      'the run has ended, retry the execution.',
    body: { schema: RetryTaskBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The task.',
        schema: TaskDetailView,
        example: { ...load, status: 'queued', round: 2, startedAt: null, attemptList: [], heartbeatAt: null },
      },
    },
    problems: [404, 409],
  },
  skipTask: {
    tag: 'Workflows',
    summary: 'Skip a task of a run',
    description:
      'The task counts as done, and the tasks after it go on. It must not have begun. To skip an approval, the ' +
      'scope runs:approve is needed, and the skip is on record as `approval.overridden`.',
    body: { schema: SkipTaskBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The task.',
        schema: TaskDetailView,
        example: {
          ...load,
          status: 'skipped',
          reason: 'skipped-by-user',
          attemptList: [],
          heartbeatAt: null,
        },
      },
    },
    problems: [404, 409],
  },
  approveTask: {
    tag: 'Workflows',
    summary: 'Approve a task of a run',
    description: 'The first decision counts. `approval.notBy` of the task may exclude the caller (403).',
    body: { schema: ApproveBody, required: false, example: { comment: 'checked' } },
    responses: {
      200: { description: 'The task, which has succeeded.', schema: TaskDetailView, example: approved },
    },
    problems: [404, 409],
  },
  rejectTask: {
    tag: 'Workflows',
    summary: 'Reject a task of a run',
    description: 'The task fails with the reason `rejected`.',
    body: { schema: ApproveBody, required: false, example: { comment: 'not yet' } },
    responses: {
      200: {
        description: 'The task, which has failed.',
        schema: TaskDetailView,
        example: { ...approved, status: 'failed', reason: 'rejected' },
      },
    },
    problems: [404, 409],
  },
  listWaiting: {
    tag: 'Workflows',
    summary: 'List what waits for a user',
    description: 'Approvals of tasks, and held runs. A page may be short and have a next one.',
    responses: {
      200: {
        description: 'A page.',
        schema: WaitingPage,
        example: {
          items: [
            {
              kind: 'approval',
              jobId: 'nightly-etl',
              execId: '20261201T010000.000Z',
              taskId: 'release',
              since: '2026-12-01T01:10:00.000Z',
              until: '2026-12-08T01:10:00.000Z',
              note: 'Release 40 files?',
            },
          ],
          nextCursor: null,
        },
      },
    },
  },
  listTasks: {
    tag: 'Workflows',
    summary: 'List the tasks of a run',
    description:
      'Each task comes after all that it depends on. Tasks that never ran are listed too: why they did not follows from ' +
      'the others.',
    headers: ['If-None-Match'],
    responses: {
      200: {
        description: 'A page of tasks.',
        schema: TaskPage,
        example: { items: [extract, load], nextCursor: null },
        headers: ['ETag'],
      },
      304: { description: 'Nothing has happened in the run since.', headers: ['ETag'] },
    },
    problems: [404],
  },
  getTask: {
    tag: 'Workflows',
    summary: 'Get a task of a run',
    responses: {
      200: {
        description: 'The task with its attempts.',
        schema: TaskDetailView,
        example: { ...extract, attemptList: [attempt], heartbeatAt: null },
      },
    },
    problems: [404],
  },
  cancelTask: {
    tag: 'Workflows',
    summary: 'Cancel a task of a run',
    description:
      'A task that waits for an attempt ends at once. For one that runs, cancellation is requested. It counts as a failure.',
    body: { schema: EmptyBody, required: false, example: {} },
    responses: {
      202: {
        description: 'The task. A running one ends as cancelled later.',
        schema: TaskDetailView,
        example: {
          ...load,
          status: 'cancelled',
          reason: 'cancelled-by-user',
          attemptList: [],
          heartbeatAt: null,
        },
      },
    },
    problems: [404, 409],
  },
  listVersions: {
    tag: 'Workflows',
    summary: 'List the versions of a job’s workflow',
    description:
      'The highest number first. A version that the job no longer has is kept for 31 days and the retention of executions.',
    responses: {
      200: {
        description: 'A page of versions.',
        schema: VersionPage,
        example: { items: [version], nextCursor: null },
      },
    },
    problems: [404],
  },
  getVersion: {
    tag: 'Workflows',
    summary: 'Get a version of a job’s workflow',
    responses: {
      200: { description: 'The version.', schema: VersionView, example: { ...version, workflow } },
    },
    problems: [404],
  },
} satisfies Partial<Record<Operation, OperationSpec>>;
