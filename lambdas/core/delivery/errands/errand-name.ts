import { hash } from 'node:crypto';

import { ERRAND_PREFIX } from '../../contracts/target-resources';
import { errandsOf, type Execution } from '../../domain/execution';
import type { AwsPolicy } from '../aws-policy';
import { deliveryIdOf } from '../delivery';

const PREFIX_DIGITS = 6;

/** What the names of a deployment's errands begin with. A stack that is made again has the same. */
export function errandPrefixOf({
  accountId,
  region,
  stackName,
}: Pick<AwsPolicy, 'accountId' | 'region' | 'stackName'>): string {
  const digits = hash('sha256', `${accountId}/${region}/${stackName}`, 'hex');
  return `${ERRAND_PREFIX}${digits.slice(0, PREFIX_DIGITS)}`;
}

/**
 * The name of the errand that an execution may have now. It stays the same until that has been seen to end.
 * So an executor that starts it again finds the one that runs. Undefined: it has none.
 */
export function errandNameOf(
  execution: Pick<Execution, 'jobKey' | 'execId' | 'openErrand' | 'errands'>,
): string | undefined {
  const { openErrand, jobKey, execId } = execution;
  if (openErrand === undefined) return undefined;
  return `${openErrand}-${deliveryIdOf(jobKey, execId)}-${errandsOf(execution)}`;
}
