import type { Operation } from '../../contracts/routes';
import { EmptyBody } from '../job';
import { TaskDetailView, TaskPage, VersionPage, VersionView, WorkflowCheckView } from '../workflow-answers';
import { CheckWorkflowBody } from '../workflow-queries';
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
