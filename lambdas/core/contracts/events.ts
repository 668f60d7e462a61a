/**
 * Lifecycle events: what executions come to, for whoever wants to be told. They go to the deployment's event bus, under
 * this source, with `detail-type` one of `LIFECYCLE_TYPES` and `detail` as below. Added to, never changed.
 */
export const EVENT_SOURCE = 'quarterjack';

export const LIFECYCLE_TYPES = [
  /** It succeeded. */
  'execution.completed',
  /** It failed for good at once: a fatal answer, or a target that is not allowed. */
  'execution.failed',
  /** It failed for good because its attempts, its time or its takeovers are used up. */
  'execution.exhausted',
  'execution.skipped',
  'execution.cancelled',
] as const;
export type LifecycleType = (typeof LIFECYCLE_TYPES)[number];

/** Which of them are sent: `failures` are those that a user did not ask for, and costs nothing for a success. */
export const LIFECYCLE_CHOICES = ['off', 'failures', 'all'] as const;
export type LifecycleChoice = (typeof LIFECYCLE_CHOICES)[number];

/** The body of an event. Instants are RFC 3339 in UTC. */
export interface LifecycleDetail {
  version: 1;
  /** The same for a repeat of the same event: a reader who must not act twice remembers it. */
  id: string;
  userId: string;
  jobId: string;
  execId: string;
  status: 'succeeded' | 'failed' | 'skipped' | 'cancelled';
  /** As in the API: `attempts-exhausted`, `misfire` … */
  reason: string | null;
  /** Due time of the occurrence; of a manual run, when it was asked for. */
  dueAt: string;
  finishedAt: string;
  /** Claims so far; 0 where it never ran. */
  fence: number;
  /** Where one record stands for neighbouring occurrences. */
  skipped: { from: string; to: string; count: number } | null;
}
