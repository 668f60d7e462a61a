import { CfnResource, Lazy } from 'aws-cdk-lib';
import { Effect, type IRole, Policy, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import type { SessionRight } from '../../lambdas/core/contracts/session-rights';
import { acknowledgeAll, acknowledgePatterns } from './binding';
import { queueArnOf } from './work-queue';

const PASS_ROLE = 'iam:PassRole';

export interface ActionsRoleProps {
  /** The role that assumes it, and that makes the calls of all other targets. */
  readonly executor: IRole;
  /** All parts of the deployment: none of them may be touched. */
  readonly deployment: Construct;
}

/**
 * The role for calls that the executor's own role must never make, since that one reads all tables and
 * secrets. The executor assumes it for one project at a time, under a session policy that allows no more than
 * that project may. It may do what all projects together may, and nothing with the deployment itself.
 */
export class ActionsRole extends Construct {
  readonly role: IRole;
  private readonly policy: Policy;
  /** It passes no role on but these. */
  private readonly passable = new Set<string>();

  constructor(scope: Construct, id: string, { executor, deployment }: ActionsRoleProps) {
    super(scope, id);
    this.role = new Role(this, 'Role', {
      assumedBy: executor.grantPrincipal,
      description: 'What targets may do that the executor does not do under its own role',
    });
    // A policy of its own, because functions name this role, and it names functions.
    this.policy = new Policy(this, 'Policy', { roles: [this.role] });
    this.policy.addStatements(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: ['*'],
        resources: Lazy.list({ produce: () => arnsOf(deployment) }),
      }),
      new PolicyStatement({
        effect: Effect.DENY,
        actions: [PASS_ROLE],
        // Itself, which nothing lets it pass either: the list must not be empty.
        notResources: Lazy.list({ produce: () => [this.role.roleArn, ...this.passable] }),
      }),
    );
    executor.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [this.role.roleArn] }),
    );
  }

  /** Lets another executor assume it too. */
  trust(executor: IRole): void {
    (this.role as Role).assumeRolePolicy!.addStatements(
      new PolicyStatement({ actions: ['sts:AssumeRole'], principals: [executor.grantPrincipal] }),
    );
    executor.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [this.role.roleArn] }),
    );
  }

  /** Lets sessions do this, if their own policies say so too. */
  permit({ actions, resources }: SessionRight): void {
    const statement = new PolicyStatement({ actions: [...actions], resources: [...resources] });
    this.policy.addStatements(statement);
    if (actions.includes(PASS_ROLE)) for (const arn of resources) this.passable.add(arn);
    acknowledgePatterns(this.role, [statement]);
    if (resources.includes('*'))
      acknowledgeAll(this.role, 'The operator allows actions that name no resource.');
  }
}

type ArnsOf = (resource: CfnResource) => string[];
const attribute = (resource: CfnResource): string => resource.getAtt('Arn').toString();
const named: ArnsOf = (resource) => [attribute(resource)];
/** The ARNs of its parts, such as indexes and versions, begin with its own. */
const withParts: ArnsOf = (resource) => [`${attribute(resource)}*`];
const byReference: ArnsOf = ({ ref }) => [ref];

/** The ARNs of what a call could change or reach, by type. One pattern names all queues. */
const OWN: Readonly<Record<string, ArnsOf>> = {
  'AWS::Cognito::UserPool': named,
  'AWS::DynamoDB::GlobalTable': withParts,
  'AWS::Events::EventBus': named,
  'AWS::KMS::Key': named,
  'AWS::Lambda::Function': withParts,
  'AWS::Logs::LogGroup': named,
  'AWS::Scheduler::Schedule': named,
  'AWS::SecretsManager::Secret': byReference,
  'AWS::SNS::Topic': byReference,
};

const arnsOf = (deployment: Construct): string[] => [
  queueArnOf(deployment, '*'),
  ...deployment.node
    .findAll()
    .filter((one) => CfnResource.isCfnResource(one))
    .flatMap((one) => OWN[one.cfnResourceType]?.(one) ?? []),
];
