import { LocalRunError } from '../run/errors';
import type { Policies, Role } from '../iam/policies';
import { resourcePolicy, rolePolicy, type Statement } from '../iam/policy';
import type { FunctionFinder } from './find-function';
import type { ResolvedTemplate } from './resolve-template';
import { ManagedPolicyProperties, PolicyProperties, RoleProperties } from './types/iam';
import { TopicPolicyProperties } from './types/inert';
import { PermissionProperties } from './types/lambda';
import { SecretPolicyProperties } from './types/secrets-manager';
import { QueuePolicyProperties, QueueProperties } from './types/sqs';

/**
 * Reads all policies of the stack. Throws a `LocalRunError` for a statement that the local run cannot
 * evaluate.
 */
export function readPolicies(template: ResolvedTemplate, functionArnOf: FunctionFinder): Policies {
  return {
    roles: readRoles(template),
    resources: [
      ...queuePolicies(template),
      ...template
        .ofType(TopicPolicyProperties, 'AWS::SNS::TopicPolicy')
        .flatMap(({ logicalId, properties: { Topics, PolicyDocument } }) =>
          Topics.flatMap((topic) => resourcePolicy(PolicyDocument, topic, logicalId)),
        ),
      ...template
        .ofType(SecretPolicyProperties, 'AWS::SecretsManager::ResourcePolicy')
        .flatMap(({ logicalId, properties: { SecretId, ResourcePolicy } }) =>
          resourcePolicy(ResourcePolicy, SecretId, logicalId),
        ),
      ...template
        .ofType(PermissionProperties, 'AWS::Lambda::Permission')
        .flatMap(({ logicalId, properties }) =>
          permission(properties, functionArnOf(properties.FunctionName, logicalId), logicalId),
        ),
    ],
  };
}

function readRoles(template: ResolvedTemplate): Policies['roles'] {
  const inline = template.ofType(PolicyProperties, 'AWS::IAM::Policy');
  const managed = template.ofType(ManagedPolicyProperties, 'AWS::IAM::ManagedPolicy');
  const roles = template.ofType(RoleProperties, 'AWS::IAM::Role').map((role): [string, Role] => {
    const { logicalId, name, arn, properties } = role;
    const foreign = properties.ManagedPolicyArns.find((one) => !managed.some(({ ref }) => ref === one));
    if (foreign !== undefined)
      throw new LocalRunError(
        `${logicalId}: the local run does not support policies outside the stack, such as ${foreign}`,
      );
    const attached = [
      ...inline.filter(({ properties: { Roles } }) => Roles.includes(name)),
      ...managed.filter(
        ({ ref, properties: { Roles } }) =>
          Roles.includes(name) || properties.ManagedPolicyArns.includes(ref),
      ),
    ];
    return [
      arn,
      {
        logicalId,
        name,
        trust: resourcePolicy(properties.AssumeRolePolicyDocument, arn, logicalId),
        statements: [
          ...properties.Policies.flatMap(({ PolicyDocument }) => rolePolicy(PolicyDocument, logicalId)),
          ...attached.flatMap((policy) => rolePolicy(policy.properties.PolicyDocument, policy.logicalId)),
        ],
      },
    ];
  });
  return new Map(roles);
}

function queuePolicies(template: ResolvedTemplate): Statement[] {
  const queues = template.ofType(QueueProperties, 'AWS::SQS::Queue');
  const arnOf = (url: string, from: string): string => {
    const queue = queues.find(({ ref }) => ref === url);
    if (!queue) throw new LocalRunError(`${from}: it names ${url}, which is not a queue of the stack`);
    return queue.arn;
  };
  return template
    .ofType(QueuePolicyProperties, 'AWS::SQS::QueuePolicy')
    .flatMap(({ logicalId, properties: { Queues, PolicyDocument } }) =>
      Queues.flatMap((url) => resourcePolicy(PolicyDocument, arnOf(url, logicalId), logicalId)),
    );
}

/** A permission is a statement of the function's resource policy in another format. */
function permission(
  { Action, Principal, SourceArn, SourceAccount }: PermissionProperties,
  functionArn: string,
  from: string,
): Statement[] {
  const Condition = {
    ...(SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': [SourceArn] } }),
    ...(SourceAccount !== undefined && { StringEquals: { 'aws:SourceAccount': [SourceAccount] } }),
  };
  return resourcePolicy(
    {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Action: [Action],
          Principal: { Service: [Principal] },
          Resource: undefined,
          Condition,
        },
      ],
    },
    functionArn,
    from,
  );
}
