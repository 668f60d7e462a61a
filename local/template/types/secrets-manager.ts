import * as z from 'zod';

import { PolicyDocument } from '../../iam/policy';
import { arn, type Identity, ignored, generatedId, nameOf, type ResourceType } from '../resource-type';

/** The defaults are those of CloudFormation. */
export const SecretGenerator = z.strictObject({
  PasswordLength: z.coerce.number().int().min(1).max(4096).default(32),
  ExcludeCharacters: z.string().default(''),
  ExcludeLowercase: z.boolean().default(false),
  ExcludeNumbers: z.boolean().default(false),
  ExcludePunctuation: z.boolean().default(false),
  ExcludeUppercase: z.boolean().default(false),
  IncludeSpace: z.boolean().default(false),
  RequireEachIncludedType: z.boolean().default(true),
  SecretStringTemplate: z.string().optional(),
  GenerateStringKey: z.string().optional(),
});
export type SecretGenerator = z.output<typeof SecretGenerator>;

export const SecretProperties = z.strictObject({
  Name: z.string().optional(),
  SecretString: z.string().optional(),
  GenerateSecretString: SecretGenerator.optional(),
  Description: ignored,
  Tags: ignored,
});

export const SecretPolicyProperties = z.strictObject({
  SecretId: z.string(),
  ResourcePolicy: PolicyDocument,
  BlockPublicPolicy: ignored,
});

const suffix = generatedId(6);
const secretArn = (secret: Identity): string =>
  arn('secretsmanager', 'secret:', `-${suffix(secret)}`)(secret);

export const SECRETS_MANAGER_TYPES: Record<string, ResourceType> = {
  'AWS::SecretsManager::Secret': {
    nameProperty: 'Name',
    ref: secretArn,
    attributes: { Id: secretArn },
    properties: SecretProperties,
  },
  'AWS::SecretsManager::ResourcePolicy': {
    ref: nameOf,
    attributes: {},
    properties: SecretPolicyProperties,
  },
};
