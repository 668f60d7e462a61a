import type { InvokeOutcome } from '../invoke/environment';
import type { Clock } from '../machine/clock';
import type { AuthorizerSpec } from '../template/stack';

/** What an authorizer says about a request. `failed`: its function failed, or its result is invalid. */
export type AuthorizerOutcome =
  | 'missing'
  | 'failed'
  | { isAuthorized: boolean; context: Record<string, unknown> | null };

interface RequestAuthorizersDeps {
  clock: Clock;
  /** `event` is JSON. Never rejects. */
  invoke(functionArn: string, event: string): Promise<InvokeOutcome>;
  /** Whether the function's policy lets API Gateway invoke it for this authorizer. */
  mayInvoke(authorizer: AuthorizerSpec): boolean;
}

export interface AuthorizeRequest {
  authorizer: AuthorizerSpec;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The event for the function, as JSON. */
  event(identity: string): string;
}

/** More results than so many are dropped, the oldest first. */
const MAX_CACHED = 10_000;

/**
 * Lambda authorizers of API Gateway with simple responses. A request without the identity source is rejected
 * without a call. A result counts for the authorizer's TTL, whatever the route, for the same identity source.
 * A failure is not cached.
 */
export function requestAuthorizers({ clock, invoke, mayInvoke }: RequestAuthorizersDeps) {
  const cache = new Map<string, { outcome: AuthorizerOutcome; untilMs: number }>();

  return async ({ authorizer, headers, event }: AuthorizeRequest): Promise<AuthorizerOutcome> => {
    const identity = headers[authorizer.header] ?? '';
    if (identity === '') return 'missing';
    const key = `${authorizer.id} ${identity}`;
    const cached = cache.get(key);
    if (cached && clock.nowMs() < cached.untilMs) return cached.outcome;
    if (!mayInvoke(authorizer)) return 'failed';
    const outcome = outcomeOf(await invoke(authorizer.functionArn, event(identity)));
    cache.delete(key); // so that it becomes the newest
    if (outcome !== 'failed' && authorizer.ttlSec > 0)
      cache.set(key, { outcome, untilMs: clock.nowMs() + authorizer.ttlSec * 1_000 });
    const [oldest] = cache.size > MAX_CACHED ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    return outcome;
  };
}

function outcomeOf(invoked: InvokeOutcome): AuthorizerOutcome {
  if (!invoked.ok) return 'failed';
  const result: unknown = JSON.parse(invoked.payload ?? 'null');
  if (!isObject(result) || typeof result.isAuthorized !== 'boolean') return 'failed';
  const { isAuthorized, context = null } = result;
  return context === null || isObject(context) ? { isAuthorized, context } : 'failed';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
