import { Token } from 'aws-cdk-lib';
import { ArnPrincipal, type Grant, type IRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import {
  CfnFunction,
  type Function as LambdaFunction,
  type IFunction,
  type IVersion,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import { TARGET_RESOURCES } from '../lambdas/core/contracts/target-resources';
import type { ManageJobsOptions } from './access-props';
import type { AddTargetOptions, LambdaTarget } from './added-target';
import { attributeFaults } from './attribute-faults';
import { CustomResources, PUT_SECRET } from './constructs/custom-resources';
import type { IQuarterjack, QuarterjackAttributes } from './deployment-attributes';
import type { JobRules } from './job-faults';
import { grantManageJobs } from './manage-jobs';

/** The most that a deployment keeps. */
const LONGEST_RETENTION_DAYS = 3_650;

/**
 * A deployment of another app. Its roles are not of this app, so functions and secrets let them in by
 * policies of their own.
 */
export class ImportedQuarterjack extends Construct implements IQuarterjack {
  readonly url: string;
  readonly project: string;
  readonly targetNamePrefix: string | undefined;
  readonly executorRole: IRole;
  readonly customResources: CustomResources;
  /** Its pools and hosts are not known here, so the deployment of the stack checks them. */
  readonly jobRules: Omit<JobRules, 'project'> = {
    config: { retentionDays: LONGEST_RETENTION_DAYS, targetPolicy: 'public' },
    deploymentName: '',
  };

  constructor(
    scope: Construct,
    id: string,
    private readonly attributes: QuarterjackAttributes,
  ) {
    super(scope, id);
    const faults = attributeFaults(this, attributes);
    if (faults.length > 0)
      throw new Error(
        `${this.node.path}: the attributes are not those of a deployment:\n  ${faults.join('\n  ')}`,
      );
    const { url, project, executorRoleArn, providerArn, providerRoleArn } = attributes;
    this.url = url;
    this.project = project;
    this.targetNamePrefix = attributes.targetNamePrefix;
    this.executorRole = Role.fromRoleArn(this, 'ExecutorRole', executorRoleArn, { mutable: false });
    const principals = [new ArnPrincipal(providerRoleArn)];
    this.customResources = new CustomResources(this, 'CustomResources', () => ({
      arn: providerArn,
      needs: [],
      // Its own app lets it, where it tells its ARN.
      letReadManifests: () => undefined,
      admitTo: (secret) =>
        secret.addToResourcePolicy(
          new PolicyStatement({ principals, actions: [PUT_SECRET], resources: [secret.secretArn] }),
        ),
    }));
  }

  grantManageJobs(fn: LambdaFunction, options: ManageJobsOptions = {}): Grant {
    return grantManageJobs(this, fn, options);
  }

  addLambdaTarget(fn: IFunction, { project = this.project }: AddTargetOptions = {}): LambdaTarget {
    const { targetNamePrefix: prefix, executorRoleArn } = this.attributes;
    if (project !== this.project)
      throw new Error(
        `${fn.node.path}: project is ${JSON.stringify(project)}; ` +
          `expected ${JSON.stringify(this.project)}, whose jobs ${this.node.path} knows`,
      );
    if (prefix === undefined)
      throw new Error(`${this.node.path} has no targetNamePrefix, which names the functions that jobs call`);
    const name = nameOf(fn);
    if (name === undefined || !name.startsWith(prefix))
      throw new Error(
        `${fn.node.path}: functionName is ${name === undefined ? unknownName(fn) : JSON.stringify(name)}; ` +
          `expected one that begins with ${JSON.stringify(prefix)}`,
      );
    const id = `Quarterjack${this.node.addr}`;
    fn.addPermission(id, {
      principal: new ArnPrincipal(executorRoleArn),
      action: TARGET_RESOURCES.lambda.action,
    });
    // The CDK makes none for a function that it takes for one of another account, and none for $LATEST.
    if (!fn.permissionsNode.tryFindChild(id))
      throw new Error(`${fn.node.path}: this stack cannot let the executor in, ${whyNoPermission(fn)}`);
    return { type: 'lambda', functionArn: fn.functionArn };
  }
}

const whyNoPermission = (fn: IFunction): string =>
  fn.functionArn.endsWith(':$LATEST')
    ? 'because it is $LATEST; expected the function, an alias or a numbered version'
    : 'because the function is imported and not known to be of the account of the stack; ' +
      'expected one of fromFunctionAttributes with sameEnvironment: true';

/** The name that a function, or the function of a version or alias, is given; undefined: it is not known. */
function nameOf(fn: IFunction): string | undefined {
  const name = madeBy(fn)?.functionName ?? unqualified(fn).functionName;
  return Token.isUnresolved(name) ? undefined : name;
}

const unknownName = (fn: IFunction): string =>
  madeBy(fn) ? 'generated' : 'a reference, which is known at deployment alone';

const unqualified = (fn: IFunction): IFunction => ('lambda' in fn ? (fn as IVersion).lambda : fn);

/** The resource of a function of this app. */
function madeBy(fn: IFunction): CfnFunction | undefined {
  const made = unqualified(fn).node.defaultChild;
  return made instanceof CfnFunction ? made : undefined;
}
