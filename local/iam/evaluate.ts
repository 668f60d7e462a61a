import type { Context } from './conditions';
import type { Statement } from './policy';
import { matchesArn, matchesWildcard } from './wildcard';

/** One thing that a call does. */
export interface AccessRequest {
  /** As IAM spells it: `dynamodb:GetItem`. */
  action: string;
  /** ARN. */
  resource: string;
  context: Context;
}

/** Who asks: a role of the stack, or an AWS service on its own behalf. */
export type Asking = { roleArn: string } | { service: string };

export type Verdict = 'allowed' | 'not-allowed' | 'denied';

/** What statements of one kind say: a Deny outweighs every Allow, and silence allows nothing. */
export function evaluate(statements: readonly Statement[], asking: Asking, request: AccessRequest): Verdict {
  const speaking = statements.filter((statement) => speaksOf(statement, asking, request));
  if (speaking.some(({ effect }) => effect === 'Deny')) return 'denied';
  return speaking.length > 0 ? 'allowed' : 'not-allowed';
}

function speaksOf(
  statement: Statement,
  asking: Asking,
  { action, resource, context }: AccessRequest,
): boolean {
  return (
    statement.actions.some((pattern) => matchesWildcard(pattern.toLowerCase(), action.toLowerCase())) &&
    statement.resources.some((pattern) => matchesArn(pattern, resource)) &&
    isMeant(statement, asking) &&
    statement.holds(context)
  );
}

/** A policy of a role has no principal: it is only ever asked about that role. */
function isMeant({ principal }: Statement, asking: Asking): boolean {
  if (!principal || principal.everyone) return true;
  return 'service' in asking
    ? principal.services.includes(asking.service)
    : principal.arns.includes(asking.roleArn);
}
