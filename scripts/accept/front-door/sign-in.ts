import {
  DescribeUserPoolClientCommand,
  type UserPoolClientType,
} from '@aws-sdk/client-cognito-identity-provider';

import { type Finding, noProblems } from '../check';
import type { AwsSite } from '../site/site';
import { outputsOf, resourcesOf } from '../site/stacks';

/** Renews tokens that the sign-in page gave. All other flows give tokens without that page. */
const RENEWAL = 'ALLOW_REFRESH_TOKEN_AUTH';

/**
 * Cognito enables further flows for a client without a list of them. The client of the console has an empty
 * list, since the rotation of refresh tokens excludes the only flow that it could name.
 */
export async function signIn({ clients, stackName }: AwsSite): Promise<Finding> {
  const { cloudFormation, cognito } = clients;
  const ids = await resourcesOf(cloudFormation, stackName, 'AWS::Cognito::UserPoolClient');
  if (ids.length === 0)
    return { holds: false, applies: false, detail: 'the stage has an issuer of its own, and no user pool' };
  const { UserPoolId } = await outputsOf(cloudFormation, stackName);
  const problems: string[] = [];
  for (const ClientId of ids) {
    const query = new DescribeUserPoolClientCommand({ UserPoolId, ClientId });
    const { UserPoolClient: client = {} } = await cognito.send(query);
    problems.push(...problemsOf(client).map((problem) => `${client.ClientName ?? ClientId} ${problem}`));
  }
  return noProblems(problems, `${ids.length} clients have no other flow, and the console's tokens rotate`);
}

function problemsOf({
  CallbackURLs = [],
  ExplicitAuthFlows = [],
  RefreshTokenRotation,
}: UserPoolClientType): string[] {
  const others = ExplicitAuthFlows.filter((flow) => flow !== RENEWAL);
  const isOfConsole = CallbackURLs.some((url) => url.endsWith('/console/'));
  return [
    ...others.map((flow) => `has ${flow}`),
    ...(isOfConsole && RefreshTokenRotation?.Feature !== 'ENABLED' ? ['does not rotate its tokens'] : []),
  ];
}
