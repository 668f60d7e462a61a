import type { Execution } from './execution';
import { isOfBackfill } from './workflow/child-row';

/** Fields that are set when an execution ends. Retention starts again at the next end. */
const TERMINAL_FIELDS = [
  'reason',
  'result',
  'failedTask',
  'finishedAtMs',
  'expiresAtSec',
  'skipped',
  'detail',
  'heartbeatAtMs',
  'progress',
  'cancelRequested',
  'blocksKey',
  'awaited',
  'pace',
] as const satisfies readonly (keyof Execution)[];

export interface UserRetry {
  startAtMs: number;
  /** The job's ordering key now: nothing of the earlier life holds one any more. */
  orderingKey?: string;
  /** Present if a delivery led to it: the number of deliveries before it. */
  deliveryDepth?: number;
  /** Present if the request has a trace: from now on it is that of the execution. */
  trace?: Execution['trace'];
  userRequest?: Execution['userRequest'];
  /** Present if it replaces what the targets got before. */
  payload?: Execution['payload'];
  /** Only of a run: its tasks opened again. */
  run?: Execution['run'];
  hasParams?: true;
  /** Only of a child: the task that starts it again, in its present round. */
  parent?: Execution['parent'];
}

/** The fields that a user retry sets. Attempts begin at 1 again, and the fence continues to rise. */
export const userRetryOf = (
  ended: Pick<Execution, 'userRetries' | 'parent'>,
  { startAtMs, orderingKey, deliveryDepth, trace, userRequest, payload, run, hasParams, parent }: UserRetry,
) =>
  ({
    status: 'retrying',
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startAtMs,
    userRetries: (ended.userRetries ?? 0) + 1,
    ...(orderingKey !== undefined && { orderingKey }),
    ...(deliveryDepth !== undefined && { deliveryDepth }),
    ...(trace && { trace }),
    ...(userRequest !== undefined && { userRequest }),
    ...(payload !== undefined && { payload }),
    ...(run && { run }),
    ...(hasParams && { hasParams }),
    ...(parent ? { parent, askedAtMs: startAtMs } : byItself(ended)),
  }) as const satisfies Partial<Execution>;

/**
 * A child that its own user retries. The limit of a task bounds the start that it has made, and what the runs
 * above hold covers the starts that they have made. A backfill holds nothing.
 */
function byItself({ parent }: Pick<Execution, 'parent'>): Pick<Execution, 'parent'> {
  if (!parent) return {};
  const { untilMs: _limit, orderingKey: _key, concurrencyKey: _slot, ...kept } = parent;
  return { parent: isOfBackfill(kept) ? kept : { ...kept, ownGates: true } };
}

/** The fields that a user retry removes: those of the end, and the gates that the earlier claims passed. */
export const removedByUserRetry = ({ orderingKey }: UserRetry): (keyof Execution)[] => [
  ...TERMINAL_FIELDS,
  'occupiesJob',
  'output',
  'concurrencyKey',
  ...(orderingKey === undefined ? (['orderingKey'] as const) : []),
];

/** An ended execution, as a user retry leaves it. */
export function afterUserRetry(ended: Execution, userRetry: UserRetry): Execution {
  const execution: Execution = { ...ended, ...userRetryOf(ended, userRetry) };
  for (const name of removedByUserRetry(userRetry)) delete execution[name];
  return execution;
}
