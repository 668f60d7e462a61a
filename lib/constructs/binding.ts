import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';

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
