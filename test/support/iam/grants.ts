import type { Decision } from '../../../local/iam/access';
import { type Asking, evaluate } from '../../../local/iam/evaluate';
import type { Policies } from '../../../local/iam/policies';
import type { Statement } from '../../../local/iam/policy';

/** The least that can be taken away: one action on one resource in one statement. */
export interface Grant {
  /** Logical id of the role, or of the resource's policy. */
  holder: string;
  action: string;
  resource: string;
}

interface Holding {
  grant: Grant;
  /** Whose decisions the statements make. */
  asks(asking: Asking): boolean;
  /** The statements as they are, with this one's place among them. */
  statements: readonly Statement[];
  index: number;
}

/** Every grant of every role, of who may take it, and of what services may do to functions. */
export function grantsOf({ roles, resources }: Policies): Holding[] {
  const split = (holder: string, statements: readonly Statement[], asks: Holding['asks']): Holding[] =>
    statements.flatMap(({ effect, actions, resources: arns }, index) =>
      effect === 'Deny'
        ? []
        : actions.flatMap((action) =>
            arns.map((resource) => ({ grant: { holder, action, resource }, asks, statements, index })),
          ),
    );
  return [
    ...[...roles].flatMap(([arn, { logicalId, statements, trust }]) => [
      ...split(logicalId, statements, (asking) => 'roleArn' in asking && asking.roleArn === arn),
      ...split(logicalId, trust, (asking) => 'service' in asking),
    ]),
    ...resources
      .filter(({ actions }) => actions.some((action) => action.startsWith('lambda:')))
      .flatMap((statement) => split(statement.from, [statement], (asking) => 'service' in asking)),
  ];
}

/** Whether any of the calls that were made would be refused without the grant. */
export function isNeeded(
  { grant, asks, statements, index }: Holding,
  decisions: readonly Decision[],
): boolean {
  const without = statements.flatMap((statement, at) =>
    at === index ? lessOf(statement, grant) : [statement],
  );
  return decisions.some(
    (decision) =>
      decision.ruling === 'allowed' &&
      asks(decision.asking) &&
      evaluate(statements, decision.asking, decision) === 'allowed' &&
      evaluate(without, decision.asking, decision) !== 'allowed',
  );
}

/** The rest of a statement: its other actions on all of its resources, and this action on its other resources. */
function lessOf(statement: Statement, { action, resource }: Grant): Statement[] {
  const others = (all: string[], one: string) => all.filter((each) => each !== one);
  return [
    { ...statement, actions: others(statement.actions, action) },
    { ...statement, actions: [action], resources: others(statement.resources, resource) },
  ];
}
