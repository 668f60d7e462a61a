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

/** Statements of all policies that are attached to a role. */
export const statementsOf = (resources: Map<string, Resource>, roleId: string): Statement[] =>
  ofType(resources, 'AWS::IAM::Policy')
    .filter(([, { Properties }]) => Properties.Roles.some((role: unknown) => targetOf(role) === roleId))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
