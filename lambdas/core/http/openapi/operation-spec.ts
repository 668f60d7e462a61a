import type * as z from 'zod';

export type Tag = 'Jobs' | 'Executions' | 'Attempts' | 'Schedules' | 'Signing' | 'Service' | 'Operations';

/** Headers of a request that mean something, by operation. */
export type RequestHeader = 'Idempotency-Key' | 'If-Match' | 'If-None-Match';
/** Headers of an answer beyond those that every answer has. */
export type AnswerHeader = 'ETag' | 'Location' | 'Idempotency-Replayed';

export interface Answer {
  description: string;
  /** Of the JSON body; absent: no body. */
  schema?: z.ZodType;
  example?: unknown;
  headers?: readonly AnswerHeader[];
}

/**
 * What the OpenAPI document says of an operation beyond its route. The query comes from `QUERIES`, the path from the
 * route table, and what any operation may answer (400, 401, 403, 429, 5xx) from `problems.ts`.
 */
export interface OperationSpec {
  tag: Tag;
  summary: string;
  description?: string;
  headers?: readonly RequestHeader[];
  body?: {
    /** The very one that the request is read with. */
    schema: z.core.$ZodType;
    required: boolean;
    example: unknown;
    /** Default: application/json. */
    types?: readonly string[];
  };
  answers: Readonly<Record<number, Answer>>;
  /** Statuses of the problems that this operation has beyond everybody's. */
  problems?: readonly (404 | 409 | 412 | 422)[];
}
