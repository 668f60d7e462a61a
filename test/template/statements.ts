import { ofType, type Resource, targetOf } from './synth';

/** One IAM statement, as the template writes it. */
export interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

interface Document {
  PolicyDocument: { Statement: Statement[] };
}

export const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Logical ids of all resources that a value refers to, at any depth. */
export function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('Ref' in value || 'Fn::GetAtt' in value) return [targetOf(value)];
  return Object.values(value).flatMap(referencesIn);
}

/** Statements of all policies of a role: its own, and those that are attached to it. */
export const statementsOf = (resources: Map<string, Resource>, roleId: string): Statement[] => {
  const own = (resources.get(roleId)?.Properties.Policies ?? []) as Document[];
  const attached = ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => ofType(resources, type))
    .filter(([, { Properties }]) => Properties.Roles.some((role: unknown) => targetOf(role) === roleId))
    .map(([, { Properties }]) => Properties as unknown as Document);
  return [...own, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
};
