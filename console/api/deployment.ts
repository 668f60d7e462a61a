import type { DeploymentStatus } from '../../client/browser';
import { call } from './client';
import { type Polled, usePolled } from './polling';

export const useDeployment = (): Polled<DeploymentStatus> =>
  usePolled({
    key: ['deployment'],
    load: (signal) => call((api) => api.admin.status({ signal })),
    every: () => 10_000,
  });
