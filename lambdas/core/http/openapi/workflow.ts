import type { Operation } from '../../contracts/routes';
import { EmptyBody } from '../job';
import { ApproveBody, CheckWorkflowBody, RetryTaskBody, SkipTaskBody } from '../workflow-queries';
import { ExecutionView } from './execution';
import { ItemDetailView, ItemPage } from './item-answers';
import {
  TaskDetailView,
  TaskPage,
  VersionPage,
  VersionView,
  WaitingPage,
  WorkflowCheckView,
} from './workflow-answers';
import type { OperationSpec } from './operation-spec';
import {
  approved,
  attempt,
  extract,
  heldRun,
  item,
  load,
  runningRun,
  version,
  workflow,
} from './workflow-examples';

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
    headers: ['If-Match', 'If-None-Match'],
    responses: {
      200: {
        description: 'A page of tasks.',
        schema: TaskPage,
        example: { items: [extract, load], nextCursor: null },
        headers: ['ETag'],
      },
      304: { description: 'Nothing has happened in the run since.', headers: ['ETag'] },
    },
    problems: [404, 412],
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
  listItems: {
    tag: 'Workflows',
    summary: 'List the items of a task of a run',
    description:
      'The items of a task with `forEach`, in the order of its list. There are none before the task begins.',
    responses: {
      200: {
        description: 'A page of items.',
        schema: ItemPage,
        example: { items: [item], nextCursor: null },
      },
    },
    problems: [404],
  },
  getItem: {
    tag: 'Workflows',
    summary: 'Get an item of a task of a run',
    responses: {
      200: {
        description: 'The item with its attempts.',
        schema: ItemDetailView,
        example: { ...item, attemptList: [attempt], heartbeatAt: null },
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
