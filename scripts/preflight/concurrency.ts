import { BATCHES_PER_POLLER } from '../../lib/config/pools';

/** The part of a CloudFormation template that says how many executions may run at once. */
export interface Template {
  readonly Resources: Readonly<
    Record<string, { readonly Type: string; readonly Properties?: Readonly<Record<string, unknown>> }>
  >;
}

export interface Concurrency {
  /** Executions that the queues may start at once, over all event source mappings. */
  queues: number;
  /** Reserved for single functions. */
  reserved: number;
  /** The account's quota that serves all of it. */
  needed: number;
  /** Megabytes of the function with the most memory. */
  largestMb: number;
}

/** Lambda refuses a reservation that leaves fewer than these to functions without one. */
const LEAST_UNRESERVED = 100;
/** Counted for each function that no queue feeds, such as the API's: callers and schedules bound it. */
const UNFED = 10;

interface Mapping {
  FunctionName: unknown;
  ScalingConfig?: { MaximumConcurrency: number };
  ProvisionedPollerConfig?: { MaximumPollers: number };
  /** Only of a stream. */
  StartingPosition?: string;
}

/** A stream has a batch for each of its shards: one, and more from 1,000 writes a second on. */
const SHARDS_OF_STREAM = 4;

/** Each event source mapping of a queue has one bound or the other. */
const batchesOf = ({ ScalingConfig, ProvisionedPollerConfig, StartingPosition }: Mapping): number =>
  StartingPosition
    ? SHARDS_OF_STREAM
    : (ScalingConfig?.MaximumConcurrency ?? ProvisionedPollerConfig!.MaximumPollers * BATCHES_PER_POLLER);

/** The function that a queue invokes: itself, or by its alias, whose ARN the template takes apart. */
function functionOf(resources: Template['Resources'], { FunctionName }: Mapping): string {
  const [, id = ''] = /"Ref":"(\w+)"/.exec(JSON.stringify(FunctionName)) ?? [];
  const { Type, Properties } = resources[id] ?? {};
  return Type === 'AWS::Lambda::Alias' ? (Properties!.FunctionName as { Ref: string }).Ref : id;
}

/** Sums the concurrency of a stack's functions: each by its reservation, or else by its queues. */
export function concurrencyOf({ Resources }: Template): Concurrency {
  const fed = new Map<string, number>();
  for (const { Type, Properties } of Object.values(Resources)) {
    if (Type !== 'AWS::Lambda::EventSourceMapping') continue;
    const mapping = Properties as unknown as Mapping;
    const id = functionOf(Resources, mapping);
    fed.set(id, (fed.get(id) ?? 0) + batchesOf(mapping));
  }
  let reserved = 0;
  let unreserved = 0;
  let largestMb = 0;
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== 'AWS::Lambda::Function') continue;
    largestMb = Math.max(largestMb, Number(Properties?.MemorySize ?? 0));
    const own = Properties?.ReservedConcurrentExecutions;
    if (typeof own === 'number') reserved += own;
    else unreserved += fed.get(id) ?? UNFED;
  }
  return {
    queues: [...fed.values()].reduce((sum, one) => sum + one, 0),
    reserved,
    needed: reserved + Math.max(LEAST_UNRESERVED, unreserved),
    largestMb,
  };
}
