import { DescribeUserPoolDomainCommand } from '@aws-sdk/client-cognito-identity-provider';
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts';

import type { Finding } from '../check';
import type { AwsSite } from '../site/site';
import { outputsOf, stackOf } from '../site/stacks';

type Value = string | { Ref: string } | { 'Fn::Join': [string, Value[]] };

/** The prefix of the template's user pool domain is unique in its region, over all accounts. */
export async function cognitoPrefix({ clients, stackName, template }: AwsSite): Promise<Finding> {
  const domain = Object.values(template().Resources).find(
    ({ Type }) => Type === 'AWS::Cognito::UserPoolDomain',
  );
  if (!domain) return { holds: true, detail: 'the stage has an issuer of its own, and no user pool' };
  const { Account = '' } = await clients.sts.send(new GetCallerIdentityCommand());
  const prefix = resolved(domain.Properties?.Domain as Value, Account);
  const { DomainDescription } = await clients.cognito.send(
    new DescribeUserPoolDomainCommand({ Domain: prefix }),
  );
  // A free domain is described by an empty object.
  const pool = DomainDescription?.UserPoolId;
  if (pool === undefined) return { holds: true, detail: `${prefix} is free` };
  const isDeployed = (await stackOf(clients.cloudFormation, stackName)) !== undefined;
  const own = isDeployed ? (await outputsOf(clients.cloudFormation, stackName)).UserPoolId : undefined;
  return { holds: pool === own, detail: `${prefix} is that of pool ${pool}` };
}

/** The text of a value that is made of texts and the account's id. */
function resolved(value: Value, account: string): string {
  if (typeof value === 'string') return value;
  if ('Ref' in value) {
    if (value.Ref === 'AWS::AccountId') return account;
    throw new Error(`the prefix of the sign-in page depends on ${value.Ref}, which is not known yet`);
  }
  const [separator, parts] = value['Fn::Join'];
  return parts.map((part) => resolved(part, account)).join(separator);
}
