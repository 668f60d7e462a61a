import { ofType, type Resource, targetOf } from './synth';

/** One IAM statement, as the template writes it. */
export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
}

export const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Logical ids of all resources that a value refers to, at any depth. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Ref' in value || 'Fn::GetAtt' in value) return [targetOf(value)];
  return Object.values(value).flatMap(referencesIn);
}

/**
 * Statements of all policies that are attached to a role. CDK moves what exceeds the size of an inline policy
 * to managed ones.
 */
export const statementsOf = (resources: Map<string, Resource>, roleId: string): Statement[] =>
  ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => ofType(resources, type))
    .filter(([, { Properties }]) => Properties.Roles.some((role: unknown) => targetOf(role) === roleId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
