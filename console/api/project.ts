import type { Me, Usage } from '../../client/browser';
import { call, project } from './client';
import { type Polled, usePolled } from './polling';

const RARELY_MS = 300_000;

/** The caller, its projects and rights, and the deployment. */
export const useMe = (): Polled<Me> =>
  usePolled({
    key: ['me', project.value],
    load: (signal) => call((api) => api.me({ signal })),
    every: () => RARELY_MS,
  });

export const useUsage = (): Polled<Usage> =>
  usePolled({
    key: ['usage', project.value],
    load: (signal) => call((api) => api.usage({ signal })),
    every: () => RARELY_MS,
  });

export type Scope = Me['scopes'][number];

/** Whether the caller may: what it may not do has no button. `jobs:write` includes to run and to retry. */
export function useCan(): (scope: Scope) => boolean {
  const { data } = useMe();
  return (scope) =>
    data !== undefined &&
    (data.scopes.includes(scope) || (scope === 'runs:operate' && data.scopes.includes('jobs:write')));
}
