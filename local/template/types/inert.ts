import * as z from 'zod';

import { PolicyDocument } from '../../iam/policy';
import { arn, type Identity, generatedId, nameOf, type ResourceType } from '../resource-type';

const poolId = (pool: Identity): string => `${pool.aws.region}_${generatedId(9)(pool)}`;
const poolIssuer = (pool: Identity): string => `cognito-idp.${pool.aws.region}.amazonaws.com/${poolId(pool)}`;
const clientId = generatedId(26);

export const TopicPolicyProperties = z.strictObject({ PolicyDocument, Topics: z.array(z.string()) });

/** Resource types without effect on a single machine. Other resources may refer to them. */
export const INERT_TYPES: Record<string, ResourceType> = {
  'AWS::CDK::Metadata': { ref: nameOf, attributes: {} },

  // The user pool is only the name of an issuer. Tokens come from the issuer of this checkout.
  'AWS::Cognito::UserPool': {
    ref: poolId,
    attributes: {
      Arn: (pool) => `arn:aws:cognito-idp:${pool.aws.region}:${pool.aws.accountId}:userpool/${poolId(pool)}`,
      ProviderName: poolIssuer,
      ProviderURL: (pool) => `https://${poolIssuer(pool)}`,
      UserPoolId: poolId,
    },
  },
  'AWS::Cognito::UserPoolClient': { ref: clientId, attributes: { ClientId: clientId } },
  'AWS::Cognito::UserPoolDomain': { nameProperty: 'Domain', ref: nameOf, attributes: {} },
  'AWS::Cognito::UserPoolGroup': { nameProperty: 'GroupName', ref: nameOf, attributes: {} },
  'AWS::Cognito::UserPoolResourceServer': { nameProperty: 'Identifier', ref: nameOf, attributes: {} },

  'AWS::KMS::Key': { ref: nameOf, attributes: { Arn: arn('kms', 'key/'), KeyId: nameOf } },

  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    ref: nameOf,
    attributes: { Arn: arn('logs', 'log-group:', ':*') },
  },
  'AWS::Logs::MetricFilter': { nameProperty: 'FilterName', ref: nameOf, attributes: {} },
  'AWS::Logs::QueryDefinition': { ref: generatedId(36), attributes: { QueryDefinitionId: generatedId(36) } },
  'AWS::Logs::ResourcePolicy': { nameProperty: 'PolicyName', ref: nameOf, attributes: {} },

  'AWS::SNS::Subscription': { ref: arn('sns'), attributes: { Arn: arn('sns') } },
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    ref: arn('sns'),
    attributes: { TopicArn: arn('sns'), TopicName: nameOf },
  },
  'AWS::SNS::TopicPolicy': { ref: nameOf, attributes: {}, properties: TopicPolicyProperties },
};
