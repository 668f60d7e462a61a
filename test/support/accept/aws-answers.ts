import { START_MS } from './aws-site';

/** CloudFormation's answer for a stack that is not there: a ValidationError, as for any other mistake. */
export const noStack = Object.assign(new Error('Stack with id Quarterjack-dev does not exist'), {
  name: 'ValidationError',
});

/** A stack in CloudFormation's answer to DescribeStacks. */
export const aStack = (
  StackStatus: 'CREATE_COMPLETE' | 'ROLLBACK_COMPLETE',
  outputs: Record<string, string> = {},
) => ({
  Stacks: [
    {
      ...{ StackName: 'Quarterjack-dev', CreationTime: new Date(START_MS), StackStatus },
      Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
});

/** Resources in CloudFormation's answer to ListStackResources. */
export const resourcesOfType = (ResourceType: string, ...ids: string[]) => ({
  StackResourceSummaries: ids.map((PhysicalResourceId) => ({
    ...{ ResourceType, PhysicalResourceId, LogicalResourceId: PhysicalResourceId },
    ...{ LastUpdatedTimestamp: new Date(START_MS), ResourceStatus: 'CREATE_COMPLETE' as const },
  })),
});
