import { Stack, Validations } from 'aws-cdk-lib';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';

/**
 * What a function needs to use a resource: environment variables that name it and IAM statements that permit
 * it. Keeping both in one value ensures that neither is granted without the other.
 */
export interface Binding<Variable extends string = string> {
  readonly env: Readonly<Record<Variable, string>>;
  readonly statements: readonly PolicyStatement[];
}

type VariableOf<B> = B extends Binding<infer Variable> ? Variable : never;

/** Merges bindings into one. */
export function bind<const B extends readonly Binding<never>[]>(
  ...bindings: B
): Binding<VariableOf<B[number]>> {
  return {
    env: Object.assign({}, ...bindings.map(({ env }) => env)) as Record<VariableOf<B[number]>, string>,
    statements: bindings.flatMap(({ statements }) => statements),
  };
}

/** Binds plain values, which need no permission. */
export function settings<Variable extends string>(
  values: Record<Variable, string | number>,
): Binding<Variable> {
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  return { env: env as Record<Variable, string>, statements: [] };
}

/** Records, for the checks of cdk-nag, why statements name resources by a pattern. */
export function acknowledgePatterns(role: IConstruct, statements: readonly PolicyStatement[]): void {
  if (statements.some(({ actions }) => actions.includes('ecs:ListTasks')))
    acknowledgeAll(role, 'ListTasks of ECS is bound to the allowed clusters by a condition.');
  if (statements.some(({ actions }) => actions.includes('batch:ListJobs')))
    acknowledgeAll(role, 'Batch lets no resource be named for reading jobs.');
  const resources = statements.flatMap((statement) => statement.resources);
  for (const pattern of new Set(resources.map((one) => textOf(Stack.of(role).resolve(one)))))
    if (pattern.length > 1 && pattern.includes('*'))
      Validations.of(role).acknowledge({
        id: `AwsSolutions-IAM5[Resource::${pattern}]`,
        reason:
          'Queues of the deployment have fixed names, and the operator allows targets by theirs. Region, account ' +
          'and service are fixed.',
      });
}

/** Records why statements have `*` as a resource. */
export const acknowledgeAll = (role: IConstruct, reason: string): void =>
  Validations.of(role).acknowledge({ id: 'AwsSolutions-IAM5[Resource::*]', reason });

/** A resolved text, with each reference as `<name>`, as findings show it. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::Join': join } = value as { Ref?: string; 'Fn::Join'?: [string, unknown[]] };
  if (join) return join[1].map(textOf).join(join[0]);
  return `<${Ref}>`;
}
