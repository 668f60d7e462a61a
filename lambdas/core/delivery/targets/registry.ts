import type { AwsTarget, Target } from '../../domain/target';
import type { AwsTargetType } from './aws-target-type';
import { email } from './email';
import { eventBridge } from './eventbridge';
import { http } from './http';
import { lambda } from './lambda';
import { sns } from './sns';
import { sqs } from './sqs';
import { stepFunctions } from './step-functions';
import { worker } from './worker';
import type { TargetType } from './target-type';

type TypeOf<T extends { type: string }> = [T] extends [AwsTarget] ? AwsTargetType<T> : TargetType<T>;

/** One entry for each type of a union of targets. */
export type TargetTypes<Union extends { type: string } = Target> = {
  readonly [Type in Union['type']]: TypeOf<Extract<Union, { type: Type }>>;
};

/** Every target type. A type of the union `Target` that is missing here does not compile. */
export const TARGET_TYPES: TargetTypes = {
  http,
  lambda,
  sqs,
  sns,
  eventbridge: eventBridge,
  stepfunctions: stepFunctions,
  email,
  worker,
};

/** The type of a target. */
export const targetTypeOf = <T extends Target>(target: T): TypeOf<T> =>
  // TypeScript does not know that a target fits the entry under its own `type`.
  TARGET_TYPES[target.type] as unknown as TypeOf<T>;
