import { Token } from 'aws-cdk-lib';
import { ArnPrincipal, type Grant, type IRole, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { CfnFunction, Function as LambdaFunction, IFunction, IVersion } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';

import { TARGET_RESOURCES } from '../lambdas/core/contracts/target-resources';
import type { ManageJobsOptions } from './access-props';
import type { LambdaTarget } from './added-target';
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
    const { url, project, executorRoleArn, providerArn, providerRoleArn } = attributes;
    this.url = url;
    this.project = project;
    this.executorRole = Role.fromRoleArn(this, 'ExecutorRole', executorRoleArn, { mutable: false });
    const principals = [new ArnPrincipal(providerRoleArn)];
    this.customResources = new CustomResources(this, 'CustomResources', () => ({
      arn: providerArn,
      needs: [],
      admitTo: (secret) =>
        secret.addToResourcePolicy(
          new PolicyStatement({ principals, actions: [PUT_SECRET], resources: [secret.secretArn] }),
        ),
    }));
  }

  grantManageJobs(fn: LambdaFunction, options: ManageJobsOptions = {}): Grant {
    return grantManageJobs(this, fn, options);
  }

  addLambdaTarget(fn: IFunction): LambdaTarget {
    const { targetNamePrefix: prefix, executorRoleArn } = this.attributes;
    if (prefix === undefined)
      throw new Error(`${this.node.path} has no targetNamePrefix, which names the functions that jobs call`);
    const name = nameOf(fn);
    if (name === undefined || !name.startsWith(prefix))
      throw new Error(
        `${fn.node.path}: functionName is ${name === undefined ? 'generated' : JSON.stringify(name)}; expected ` +
          `one that begins with ${JSON.stringify(prefix)}`,
      );
    fn.addPermission(`Quarterjack${this.node.addr}`, {
      principal: new ArnPrincipal(executorRoleArn),
      action: TARGET_RESOURCES.lambda.action,
    });
    return { type: 'lambda', functionArn: fn.functionArn };
  }
}

/** The name that a function, or that of a version or alias, is given; undefined: CloudFormation makes one. */
function nameOf(given: IFunction): string | undefined {
  const fn = 'lambda' in given ? (given as IVersion).lambda : given;
  const made = fn.node.defaultChild as CfnFunction | undefined;
  const name = made?.functionName ?? fn.functionName;
  return Token.isUnresolved(name) ? undefined : name;
}
