import type * as z from 'zod';

export type Tag =
  | 'Jobs'
  | 'Executions'
  | 'Workflows'
  | 'Backfills'
  | 'Events'
  | 'Attempts'
  | 'Work'
  | 'Schedules'
  | 'Signing'
  | 'Deliveries'
  | 'Calendars'
  | 'Monitors'
  | 'Secrets'
  | 'Notifications'
  | 'Limits'
  | 'Access'
  | 'Service'
  | 'Operations';

/** What each tag covers. */
export const TAGS: Record<Tag, string> = {
  Jobs: 'A job has a schedule, a target and policies.',
  Executions: 'The history: each occurrence and each manual run, with its outcome.',
  Workflows: 'Runs of jobs whose tasks depend on tasks, and the versions of their workflows.',
  Backfills: 'A job, run for the due times of a range.',
  Events: 'What has happened, for jobs that wait for it.',
  Attempts: 'Reports of targets with mode `async`, authorized by the token of the delivery.',
  Work: 'What workers ask for and report: jobs whose target is a work queue.',
  Schedules: 'Schedules without a job.',
  Signing: 'The secrets that sign deliveries.',
  Deliveries: 'What targets get.',
  Calendars: 'Days and times that the schedules of a project exclude, or keep to.',
  Monitors: 'How jobs that run elsewhere say that they have run.',
  Secrets: 'Values that targets get: sealed, and for the hosts alone that they name.',
  Notifications: 'What tells people and programs of problems.',
  Limits: 'How many executions run at a time.',
  Access: 'The API keys of a project, and the record of what was changed and denied.',
  Service: 'The API itself.',
  Operations: 'The deployment, for its operators.',
};

/** Request headers that an operation reads, beyond those that every operation does. */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';
/** Response headers beyond those that every response has. */
export type ResponseHeader =
  | 'ETag'
  | 'Location'
  | 'Idempotency-Replayed'
  | 'Quarterjack-Dry-Run'
  | 'Retry-After';

/** One successful response of an operation. */
export interface ResponseSpec {
  description: string;
  /** Schema of the JSON body. Absent: no body. */
  schema?: z.ZodType;
  example?: unknown;
  headers?: readonly ResponseHeader[];
}

/**
 * What the OpenAPI document says about an operation beyond its route. The query parameters come from
 * `QUERIES`, the path parameters from the route table. The problems that any operation may return (400, 401,
 * 403, 429, 5xx) come from `problems.ts`.
 */
export interface OperationSpec {
  tag: Tag;
  summary: string;
  description?: string;
  headers?: readonly RequestHeader[];
  body?: {
    /** The schema that also parses the request. */
    schema: z.core.$ZodType;
    required: boolean;
    example: unknown;
    /** @default application/json */
    types?: readonly string[];
  };
  responses: Readonly<Record<number, ResponseSpec>>;
  /** Statuses of the problems of this operation, beyond those of any operation. */
  problems?: readonly (403 | 404 | 409 | 412 | 422)[];
}
