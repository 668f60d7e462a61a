import type { TargetResult } from '../../core/domain/target-result';
import type { AwsTarget, Target } from '../../core/domain/target';
import { type AwsPolicy, checkAwsTarget, resourceOf } from '../../core/delivery/aws-policy';
import type { Delivery } from '../delivery';
import type { CallTarget } from '../deps';
import { callHttp, type HttpSettings } from './http';

/**
 * Calls a target of any type. What the deployment allows is asked again: it may have changed since the job
 * was made.
 */
export const callerOf =
  (settings: { http: HttpSettings; aws: AwsPolicy }): CallTarget =>
  async (target: Target, delivery: Delivery, signal: AbortSignal): Promise<TargetResult> => {
    if (target.type === 'http') return callHttp(target, delivery, signal, settings.http);
    const check = checkAwsTarget(target, settings.aws);
    if (!check.ok) return { outcome: 'fatal', blocked: true, error: check.message };
    const { region } = resourceOf(target, settings.aws)!;
    return callAws(target, delivery, region, signal);
  };

/** A service's client is loaded with the first target that names it: a cold start pays for none of them. */
async function callAws(
  target: AwsTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<TargetResult> {
  switch (target.type) {
    case 'lambda':
      return (await import('./lambda.ts')).callLambda(target, delivery, region, signal);
    case 'sqs':
      return (await import('./sqs.ts')).callSqs(target, delivery, region, signal);
    case 'sns':
      return (await import('./sns.ts')).callSns(target, delivery, region, signal);
    case 'eventbridge':
      return (await import('./eventbridge.ts')).callEventBridge(target, delivery, region, signal);
    case 'stepfunctions':
      return (await import('./stepfunctions.ts')).callStepFunctions(target, delivery, region, signal);
  }
}
