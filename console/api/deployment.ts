import type { DeploymentStatus } from '../../client/browser';
import { call } from './client';
import { type Polled, usePolled } from './polling';

const BEHIND_SEC = 60;

/** Whether a scan is so far behind that users notice. */
export const isBehind = (lagSec: number | null): boolean => lagSec !== null && lagSec > BEHIND_SEC;

/** For operators: the API asks for the scope `admin`. */
export const useDeployment = (everyMs = 10_000, enabled = true): Polled<DeploymentStatus> =>
  usePolled({
    key: ['deployment'],
    enabled,
    load: (signal) => call((api) => api.admin.status({ signal })),
    every: () => everyMs,
  });
