import type { Context } from './conditions';
import type { Statement } from './policy';
import { matchesArn, matchesWildcard } from './wildcard';

/** One action on one resource. A call may need several. */
export interface AccessRequest {
  /** In IAM's spelling: `dynamodb:GetItem`. */
  action: string;
  /** ARN. */
  resource: string;
  context: Context;
}

/** Who makes a request: a role of the stack, or an AWS service as itself. */
export type Principal = { roleArn: string } | { service: string };

type EvaluationResult = 'allowed' | 'not-allowed' | 'denied';

/**
 * Evaluates policies of one kind: a Deny overrides every Allow, and no matching statement means not allowed.
 */
export function evaluate(
  statements: readonly Statement[],
  principal: Principal,
  request: AccessRequest,
): EvaluationResult {
  const matching = statements.filter((statement) => matches(statement, principal, request));
  if (matching.some(({ effect }) => effect === 'Deny')) return 'denied';
  return matching.length > 0 ? 'allowed' : 'not-allowed';
}

function matches(
  statement: Statement,
  principal: Principal,
  { action, resource, context }: AccessRequest,
): boolean {
  return (
    statement.actions.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase())) &&
    statement.resources.some((pattern) => matchesArn(pattern, resource)) &&
    !statement.exceptResources?.some((pattern) => matchesArn(pattern, resource)) &&
    matchesPrincipal(statement, principal) &&
    statement.condition.isMet(context)
  );
}

/** A policy of a role has no principal element: it is evaluated only for its own role. */
function matchesPrincipal({ principals }: Statement, principal: Principal): boolean {
  if (!principals || principals.everyone) return true;
  return 'service' in principal
    ? principals.services.includes(principal.service)
    : principals.arns.includes(principal.roleArn);
}
