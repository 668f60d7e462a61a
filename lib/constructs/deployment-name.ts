import { Stack, Token } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

const CONTEXT_KEY = 'quarterjack:deployment';
/** `<name>-authorizer` is the name of a function, which has at most 64 characters. */
const MAX_LENGTH = 53;

/**
 * Names the deployment that a construct makes up, for the constructs below it: `<stack>`, or
 * `<stack>-<path of ids>` for a construct with another id than `Default`. Resources with fixed names begin
 * with it, and metrics have it as their dimension. Throws an Error if the name cannot be known or is too
 * long.
 */
export function nameDeployment(construct: Construct): string {
  const stack = Stack.of(construct);
  if (Token.isUnresolved(stack.stackName))
    throw new Error(
      `${construct.node.path}: Quarterjack cannot be in a nested stack, whose name is unknown at synthesis`,
    );
  const path = construct.node.scopes
    .slice(stack.node.scopes.length)
    .map(({ node }) => (node.id === 'Default' ? '' : node.id.replace(/[^A-Za-z0-9]/g, '')))
    .join('');
  const name = path === '' ? stack.stackName : `${stack.stackName}-${path}`;
  if (name.length > MAX_LENGTH)
    throw new Error(
      `${construct.node.path}: the name ${name} has ${name.length} characters; expected at most ` +
        `${MAX_LENGTH} for the stack's name and the construct's id together`,
    );
  construct.node.setContext(CONTEXT_KEY, name);
  return name;
}

/** The name of the deployment that a construct belongs to; outside of one, the name of the stack. */
export const deploymentOf = (scope: Construct): string =>
  (scope.node.tryGetContext(CONTEXT_KEY) as string | undefined) ?? Stack.of(scope).stackName;

/** The functions that API Gateway invokes. */
export type ApiFunction = 'api' | 'worker' | 'ping' | 'authorizer' | 'console';

/**
 * The name of a function that API Gateway invokes. It is fixed: the API names its functions, and they get the
 * URL of the API. So neither could be created before the other.
 */
export const apiFunctionName = (scope: Construct, name: ApiFunction): string =>
  `${deploymentOf(scope)}-${name}`;
