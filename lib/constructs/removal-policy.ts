import { RemovalPolicy } from 'aws-cdk-lib';

import type { StageConfig } from '../config/stage-config';

/**
 * What CloudFormation does with data when the stack is deleted. If the first deployment fails, there is no
 * data yet, and `retain` leaves nothing behind. `protect` does: deletion protection would refuse a deletion.
 */
export const removalPolicyOf = (removal: StageConfig['removal']): RemovalPolicy =>
  ({
    protect: RemovalPolicy.RETAIN,
    retain: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
    destroy: RemovalPolicy.DESTROY,
  })[removal];
