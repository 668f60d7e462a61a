import type { Clock } from '../core/clock/clock';
import type { Operation } from '../core/contracts/routes';
import type { Identity } from '../core/domain/identity';

export interface ApiResult {
  status: number;
  body: unknown;
}

export interface ProjectCall {
  operation: Operation;
  pathParameters?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** Calls the API as the owner of a project. */
export type ProjectApi = (project: string, call: ProjectCall) => Promise<ApiResult>;

/** The owner of the project that a resource names. A key gets no more rights than this. */
export const ownerOf = (project: string): Identity => ({
  sub: 'quarterjack-stack',
  name: null,
  kind: 'client',
  projects: [{ name: project, role: 'owner' }],
  scopes: ['jobs:read', 'jobs:write', 'work', 'project:admin'],
  expiresAt: Number.MAX_SAFE_INTEGER,
});

/** Quotas begin anew with each minute, and a deployment that has just begun may be throttled. */
export const RETRIED = [429, 503];
export const PAUSES_MS = [1_000, 5_000, 15_000, 45_000];

/**
 * The result of a call that ended with one of `expected`. Repeats it while the API is busy. Throws an Error
 * with the API's own words for any other status.
 */
export async function expectStatus(
  expected: readonly number[],
  call: () => Promise<ApiResult>,
  clock: Pick<Clock, 'sleep'>,
): Promise<ApiResult> {
  for (let tries = 0; ; tries++) {
    const result = await call();
    if (expected.includes(result.status)) return result;
    const pauseMs = PAUSES_MS[tries];
    if (!RETRIED.includes(result.status) || pauseMs === undefined) throw new Error(problemText(result));
    await clock.sleep(pauseMs);
  }
}

export function problemText({ status, body }: ApiResult): string {
  const { title, detail } = (body ?? {}) as { title?: string; detail?: string };
  return `the API answered ${status}: ${detail ?? title ?? 'without a reason'}`;
}
