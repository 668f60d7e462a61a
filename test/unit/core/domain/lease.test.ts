import { MINUTE_MS, SECOND_MS } from '../../../../lambdas/core/clock/clock';
import type { Execution } from '../../../../lambdas/core/domain/execution';
import {
  ABORT_AFTER_MS,
  HEARTBEAT_EVERY_MS,
  HEARTBEAT_TIMEOUT_MS,
  leaseLimitMs,
} from '../../../../lambdas/core/domain/lease';
import { CLOCK_SKEW_MS } from '../../../../lambdas/core/domain/timing';
import { T0_MS } from '../../../support/factories';

const delegated = (heartbeatWithinMs: number, endsAtMs: number) => ({
  delegatedTo: { heartbeatWithinMs, endsAtMs },
});

test.each<[what: string, lease: Partial<Pick<Execution, 'delegatedTo'>>, limitMs: number]>([
  ['40 s after its last heartbeat', {}, 40 * SECOND_MS],
  ['of a target: its own time, and the clock skew', delegated(MINUTE_MS, T0_MS + 600_000), 65 * SECOND_MS],
  [
    'of a target: never beyond its end, and the clock skew',
    delegated(MINUTE_MS, T0_MS + 30_000),
    35 * SECOND_MS,
  ],
])('a lease may be taken over %s', (_, lease, limitMs) => {
  expect(leaseLimitMs({ heartbeatAtMs: T0_MS, ...lease })).toBe(T0_MS + limitMs);
});

test('an execution without any heartbeat may be taken over at once', () => {
  expect(leaseLimitMs({})).toBeLessThan(T0_MS);
});

test('three heartbeats may fail before the executor aborts, and it aborts well before any takeover', () => {
  expect(3 * HEARTBEAT_EVERY_MS + HEARTBEAT_TIMEOUT_MS).toBeLessThanOrEqual(ABORT_AFTER_MS);
  const takeoverMs = leaseLimitMs({ heartbeatAtMs: 0 });
  expect(takeoverMs - ABORT_AFTER_MS).toBeGreaterThan(CLOCK_SKEW_MS + HEARTBEAT_TIMEOUT_MS);
});
