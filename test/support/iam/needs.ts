import type { Decision } from '../../../local/iam/access';
import { type Principal, evaluate } from '../../../local/iam/evaluate';
import type { Policies } from '../../../local/iam/policies';
import type { Statement } from '../../../local/iam/policy';

/** The least that can be taken away: one action on one resource in one statement. */
interface Grant {
  /** Logical id of the role, or of the resource's policy. */
  holder: string;
  action: string;
  resource: string;
}

interface Holding {
  grant: Grant;
  /** Whose decisions the statements make. */
  asks(principal: Principal): boolean;
  /** The statements as they are, with the index of this one among them. */
  statements: readonly Statement[];
  index: number;
}

/**
 * `scanner sqs:SendMessage ExecutionsHighQueue8F8218D2`, `tick dynamodb:GetItem schedule`,
 * `api events:PutEvents bus`: a stage by its name, any other role by its logical id.
 */
function spelling({ holder, action, resource }: Grant): string {
  const stage = /^Stages([A-Z][a-z]+)Role/.exec(holder)?.[1]?.toLowerCase() ?? holder;
  const table = /-Tables([A-Z][a-z]+)[0-9A-F]{8}(\/.*)?$/.exec(resource);
  if (table) return `${stage} ${action} ${table[1]!.toLowerCase()}${table[2] ?? ''}`;
  if (/:event-bus\/.*-Lifecycle$/.test(resource)) return `${stage} ${action} bus`;
  const ofStack = /[:/]Quarterjack-local-(\w+)$/.exec(resource)?.[1];
  return `${stage} ${action} ${ofStack ?? resource}`;
}

/** The grants of all policies that no call has needed so far. Grants are named by their `spelling`. */
export class Needs {
  readonly grants: readonly string[];
  private left: Holding[];

  /** `isExempt`: what need not be shown. */
  constructor(policies: Policies, isExempt: (grant: string) => boolean) {
    const all = holdingsOf(policies);
    this.grants = all.map(({ grant }) => spelling(grant));
    this.left = all.filter(({ grant }) => !isExempt(spelling(grant)));
  }

  learn(decisions: readonly Decision[]): void {
    if (decisions.length > 0) this.left = this.left.filter((holding) => !isNeeded(holding, decisions));
  }

  get unneeded(): string[] {
    return this.left.map(({ grant }) => spelling(grant));
  }
}

/** Every grant of every role, of who may take it, and of what services may do to functions. */
function holdingsOf({ roles, resources }: Policies): Holding[] {
  const split = (
    statements: readonly Statement[],
    asks: Holding['asks'],
    holderOf: (statement: Statement) => string,
  ): Holding[] =>
    statements.flatMap((statement, index) =>
      statement.effect === 'Deny'
        ? []
        : statement.actions.flatMap((action) =>
            statement.resources.map((resource) => {
              const grant = { holder: holderOf(statement), action, resource };
              return { grant, asks, statements, index };
            }),
          ),
    );
  const isService: Holding['asks'] = (principal) => 'service' in principal;
  const ofFunctions = resources.filter(({ actions }) => actions.some((one) => one.startsWith('lambda:')));
  return [
    ...[...roles].flatMap(([arn, { logicalId, statements, trust }]) => [
      ...split(
        statements,
        (principal) => 'roleArn' in principal && principal.roleArn === arn,
        () => logicalId,
      ),
      ...split(trust, isService, () => logicalId),
    ]),
    ...split(ofFunctions, isService, ({ from }) => from),
  ];
}

/** Whether any of the calls that were made would be refused without the grant. */
function isNeeded({ grant, asks, statements, index }: Holding, decisions: readonly Decision[]): boolean {
  const without = statements.flatMap((statement, at) =>
    at === index ? lessOf(statement, grant) : [statement],
  );
  return decisions.some(
    (decision) =>
      decision.result === 'allowed' &&
      asks(decision.principal) &&
      evaluate([statements[index]!], decision.principal, decision) === 'allowed' &&
      evaluate(without, decision.principal, decision) !== 'allowed',
  );
}

/**
 * A statement without a grant: its other actions on all resources, and this action on its other resources.
 */
function lessOf(statement: Statement, { action, resource }: Grant): Statement[] {
  const others = (all: string[], one: string) => all.filter((each) => each !== one);
  return [
    { ...statement, actions: others(statement.actions, action) },
    { ...statement, actions: [action], resources: others(statement.resources, resource) },
  ];
}
