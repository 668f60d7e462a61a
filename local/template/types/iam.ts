import * as z from 'zod';

import { PolicyDocument } from '../../iam/policy';
import { type Identity, ignored, generatedId, nameOf, type ResourceType } from '../resource-type';

/** Users and groups are not listed: only functions and AWS services act in the stack. */
export const PolicyProperties = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument,
  Roles: z.array(z.string()).default([]),
});

export const ManagedPolicyProperties = z.strictObject({
  ManagedPolicyName: z.string().optional(),
  PolicyDocument,
  Roles: z.array(z.string()).default([]),
  Description: ignored,
  Path: ignored,
});

/** A permissions boundary is not listed: ignoring it would allow what AWS denies. */
export const RoleProperties = z.strictObject({
  RoleName: z.string().optional(),
  AssumeRolePolicyDocument: PolicyDocument,
  Policies: z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument })).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
  Description: ignored,
  MaxSessionDuration: ignored,
  Path: z.literal('/').optional(),
  Tags: ignored,
});

const iamArn =
  (kind: string) =>
  ({ name, aws }: Identity): string =>
    `arn:aws:iam::${aws.accountId}:${kind}/${name}`;
const uniqueId = (resource: Identity): string => generatedId(21)(resource).toUpperCase();

export const IAM_TYPES: Record<string, ResourceType> = {
  'AWS::IAM::ManagedPolicy': {
    nameProperty: 'ManagedPolicyName',
    ref: iamArn('policy'),
    attributes: { PolicyArn: iamArn('policy') },
    properties: ManagedPolicyProperties,
  },
  'AWS::IAM::Policy': {
    nameProperty: 'PolicyName',
    ref: nameOf,
    attributes: { Id: uniqueId },
    properties: PolicyProperties,
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    // As in AWS, policies refer to a role by its name.
    ref: nameOf,
    attributes: { Arn: iamArn('role'), RoleId: uniqueId },
    properties: RoleProperties,
  },
};
