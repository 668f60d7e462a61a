import type { SqsTarget } from '../../domain/target';
import { arnOf, parseLoopbackQueueUrl, parseQueueUrl } from '../arn';
import { awsTargetType } from './aws-target-type';

export const sqs = awsTargetType<SqsTarget>({
  field: 'queueUrl',
  expected: 'the URL of a queue',
  resourceOf({ queueUrl }, { loopback, region }) {
    const local = loopback ? parseLoopbackQueueUrl(queueUrl, region) : undefined;
    const queue = local ?? parseQueueUrl(queueUrl);
    return queue && { arn: arnOf(queue), name: queue.resource, region: queue.region };
  },
});
