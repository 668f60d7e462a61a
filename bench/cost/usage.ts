import type { Units } from '../../local/services/dynamodb/engine/usage';

export const STAGES = [
  'authorizer',
  'api',
  'tick',
  'scanner',
  'executor',
  'sweeper',
  'auditor',
  'canary',
  'worker',
  'ping',
] as const;
export type Stage = (typeof STAGES)[number];

/** What one function did. */
export interface StageWork {
  invocations: number;
  /** Calls of AWS services through the SDK: each costs CPU time, which Lambda bills. */
  sdkCalls: number;
  /** Signatures of tokens that it verified. */
  signatures: number;
  /** Virtual milliseconds of all invocations: answers and waits, without CPU time. */
  elapsedMs: number;
}

/** All requests to AWS so far, as plain numbers, so that two totals can be subtracted. */
export interface Totals extends Units {
  sqsRequests: number;
  stages: Readonly<Record<Stage, Readonly<StageWork>>>;
}

const NOTHING: StageWork = { invocations: 0, sdkCalls: 0, signatures: 0, elapsedMs: 0 };

const forEachStage = (of: (stage: Stage) => StageWork): Record<Stage, StageWork> =>
  Object.fromEntries(STAGES.map((stage) => [stage, of(stage)])) as Record<Stage, StageWork>;

/** Counts requests as they are made. */
export class DeploymentUsage {
  private readonly stages = forEachStage(() => ({ ...NOTHING }));
  private sqsRequests = 0;

  /** @param units what the tables have counted so far */
  constructor(private readonly units: () => Units) {}

  call(stage: Stage): void {
    this.stages[stage].sdkCalls += 1;
  }

  signature(stage: Stage): void {
    this.stages[stage].signatures += 1;
  }

  /** Requests to SQS, by a stage or by an event source. */
  sqsRequest(count = 1): void {
    this.sqsRequests += count;
  }

  invocation(stage: Stage, elapsedMs: number): void {
    this.stages[stage].invocations += 1;
    this.stages[stage].elapsedMs += elapsedMs;
  }

  totals(): Totals {
    const stages = forEachStage((stage) => ({ ...this.stages[stage] }));
    return { ...this.units(), sqsRequests: this.sqsRequests, stages };
  }
}

/** `(a - b) / count`, number by number. */
export function difference(a: Totals, b: Totals, count = 1): Totals {
  const part = (ofA: number, ofB: number) => (ofA - ofB) / count;
  return {
    readUnits: part(a.readUnits, b.readUnits),
    writeUnits: part(a.writeUnits, b.writeUnits),
    sqsRequests: part(a.sqsRequests, b.sqsRequests),
    stages: forEachStage((stage) => ({
      invocations: part(a.stages[stage].invocations, b.stages[stage].invocations),
      sdkCalls: part(a.stages[stage].sdkCalls, b.stages[stage].sdkCalls),
      signatures: part(a.stages[stage].signatures, b.stages[stage].signatures),
      elapsedMs: part(a.stages[stage].elapsedMs, b.stages[stage].elapsedMs),
    })),
  };
}
