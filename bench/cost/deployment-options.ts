import type { StoreParts } from '../../lambdas/core/platform/stores';

/** How a metered deployment differs from the usual one. */
export interface DeploymentOptions extends Pick<StoreParts, 'packs'> {
  auditor?: boolean;
  /** What becomes of ends. */
  follows?: 'journal' | 'spans' | undefined;
}
