import type * as z from 'zod/mini';

import {
  ApiEnv,
  AuditorEnv,
  AuthorizerEnv,
  CanaryEnv,
  ExecutorEnv,
  ScannerEnv,
  SweeperEnv,
  TickEnv,
  PingEnv,
  WorkerEnv,
} from '../../lambdas/core/contracts/env';
import type { Stage } from './synth';

/** The variables of each function. */
export const SCHEMAS: Record<Stage, z.ZodMiniObject> = {
  authorizer: AuthorizerEnv,
  api: ApiEnv,
  tick: TickEnv,
  scanner: ScannerEnv,
  executor: ExecutorEnv,
  sweeper: SweeperEnv,
  auditor: AuditorEnv,
  canary: CanaryEnv,
  worker: WorkerEnv,
  ping: PingEnv,
};
