import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

import type { StageConfig } from '../config/stage-config';

export interface AlarmSpec {
  /** Anchor of the runbook section, without `#`. */
  readonly section: string;
  /** What is wrong, in one sentence. */
  readonly summary: string;
  readonly metric: IMetric;
  /** A datapoint breaches if it is above `above`, or below `below`. */
  readonly breaching: { above: number } | { below: number };
  /** `[m, n]`: the alarm fires if m of the last n datapoints breach. */
  readonly datapoints: readonly [breaching: number, evaluated: number];
  /** Whether a period without data breaches. */
  readonly missingData: 'breaching' | 'not-breaching';
}

/**
 * `fewest`: for what users would notice. `essential`: one alarm for each promise. `all`: also one for each
 * cause that another alarm shows later.
 */
export type AlarmChoice = StageConfig['alarms'];

/** By the construct id of each alarm. */
export type AlarmSpecs = Readonly<Record<string, AlarmSpec>>;
