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
  | 'Secrets'
  | 'Notifications'
  | 'Limits'
  | 'Access'
  | 'Service'
  | 'Operations';

/** Request headers that an operation reads, beyond those that every operation does. */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';
/** Response headers beyond those that every response has. */
export type ResponseHeader =
  'ETag' | 'Location' | 'Idempotency-Replayed' | 'Quarterjack-Dry-Run' | 'Retry-After';

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
  problems?: readonly (404 | 409 | 412 | 422)[];
}
