import {
  type CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** A stack; undefined if there is none of that name. */
export async function stackOf(client: CloudFormationClient, StackName: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks[0];
  } catch (error) {
    // CloudFormation has no error of its own for this.
    if (error instanceof Error && /does not exist/.test(error.message)) return undefined;
    throw error;
  }
}

/** The outputs of a stack, by name. Throws if there is no stack of that name. */
export async function outputsOf(client: CloudFormationClient, name: string): Promise<Record<string, string>> {
  const stack = await stackOf(client, name);
  if (!stack) throw new Error(`there is no stack ${name} in this account and region`);
  return Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
  );
}

/** The physical ids of a stack's resources of one type. */
export async function resourcesOf(
  client: CloudFormationClient,
  StackName: string,
  type: string,
): Promise<string[]> {
  const ids: string[] = [];
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName }))
    for (const { ResourceType, PhysicalResourceId } of StackResourceSummaries)
      if (ResourceType === type && PhysicalResourceId) ids.push(PhysicalResourceId);
  return ids;
}
