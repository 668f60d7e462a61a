import type { Resolve } from '../../lambdas/core/delivery/checked-lookup';

/** For tests that names are no part of: whatever is asked for has a public address, and no network is needed. */
export const publicNames: Resolve = async () => [{ address: '93.184.216.34', family: 4 }];
