import type { Resolve } from '../../lambdas/core/delivery/checked-lookup';

/** For tests that are not about names: every name has a public address, without a network. */
export const publicNames: Resolve = async () => [{ address: '93.184.216.34', family: 4 }];
