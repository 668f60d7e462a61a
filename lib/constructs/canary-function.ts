import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { CanaryEnv } from '../../lambdas/core/contracts/env';
import { bind, settings } from './binding';
import { type FunctionDefaults, PipelineFunction } from './pipeline-function';

interface CanaryFunctionProps {
  readonly defaults: FunctionDefaults;
  readonly api: PipelineFunction;
  /** Base URL of the HTTP API. */
  readonly apiUrl: string;
}

/** The canary, which calls the API's function. */
export function addCanaryFunction(
  scope: Construct,
  { defaults, api, apiUrl }: CanaryFunctionProps,
): PipelineFunction {
  const canary = new PipelineFunction(scope, 'Canary', {
    ...defaults,
    stage: 'canary',
    description: 'Registers a job every five minutes; measures registration time and delivery lateness',
    timeout: Duration.minutes(1),
    memoryMb: 256,
    env: CanaryEnv,
    uses: bind(api.invoking('API_FUNCTION'), settings({ API_URL: apiUrl })),
  });
  canary.dropAfterOneMinute();
  return canary;
}
