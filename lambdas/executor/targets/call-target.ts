import type { Answer } from '../../core/domain/answer';
import type { AwsTarget, Target } from '../../core/domain/target';
import { type AwsPolicy, judgeAwsTarget, resourceOf } from '../../core/targets/aws-policy';
import type { Delivery } from '../delivery';
import type { CallTarget } from '../deps';
import { callEventBridge } from './eventbridge';
import { callHttp, type HttpSettings } from './http';
import { callLambda } from './lambda';
import { callSns } from './sns';
import { callSqs } from './sqs';
import { callStepFunctions } from './stepfunctions';

/** Calls a target of any type. What the deployment allows is asked again: it may have changed since the job was made. */
export const callerOf =
  (settings: { http: HttpSettings; aws: AwsPolicy }): CallTarget =>
  async (target: Target, delivery: Delivery, signal: AbortSignal): Promise<Answer> => {
    if (target.type === 'http') return callHttp(target, delivery, signal, settings.http);
    const judgement = judgeAwsTarget(target, settings.aws);
    if (!judgement.ok) return { outcome: 'fatal', blocked: true, error: judgement.message };
    const { region } = resourceOf(target, settings.aws)!;
    return callAws(target, delivery, region, signal);
  };

function callAws(
  target: AwsTarget,
  delivery: Delivery,
  region: string,
  signal: AbortSignal,
): Promise<Answer> {
  switch (target.type) {
    case 'lambda':
      return callLambda(target, delivery, region, signal);
    case 'sqs':
      return callSqs(target, delivery, region, signal);
    case 'sns':
      return callSns(target, delivery, region, signal);
    case 'eventbridge':
      return callEventBridge(target, delivery, region, signal);
    case 'stepfunctions':
      return callStepFunctions(target, delivery, region, signal);
  }
}
