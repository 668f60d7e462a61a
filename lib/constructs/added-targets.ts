import { Lazy } from 'aws-cdk-lib';
import type { IRole } from 'aws-cdk-lib/aws-iam';

import type { AllowedAction } from '../../lambdas/core/contracts/allowed-actions';
import type { EcsLaunch } from '../../lambdas/core/contracts/ecs-launch';
import type { ErrandType } from '../../lambdas/core/contracts/errand-services';

/** Resources of the program that makes the stack, which it allows as targets by reference. */
export class AddedTargets {
  private readonly byProject: Record<string, string[]> = {};
  private readonly clusters: Record<string, EcsLaunch> = {};
  private readonly watched = new Set<ErrandType>();
  private readonly actions: Record<string, AllowedAction[]> = {};
  private actionsRole: IRole | undefined;
  private cataloguePath = '';

  /** @param text an ARN, or what `withQualifiers` gives. */
  add(project: string, text: string): void {
    (this.byProject[project] ??= []).push(text);
  }

  addCluster(arn: string, launch: EcsLaunch): void {
    this.clusters[arn] = launch;
  }

  /** The value of ADDED_ECS_CLUSTERS at synthesis. */
  clustersAsJson(): string {
    return Lazy.string({ produce: () => JSON.stringify(this.clusters) });
  }

  /** What targets of type `aws` may call besides. */
  addAction(project: string, allowed: AllowedAction): void {
    (this.actions[project] ??= []).push(allowed);
  }

  /** The value of ADDED_ACTIONS at synthesis. */
  actionsAsJson(): string {
    return Lazy.string({ produce: () => JSON.stringify(this.actions) });
  }

  /** Where functions find what actions take. */
  readActionsIn(path: string): void {
    this.cataloguePath = path;
  }

  /** The value of ACTIONS_PATH at synthesis: empty without any action. */
  actionsPath(): string {
    return Lazy.string({ produce: () => this.cataloguePath });
  }

  /** The deployment has a role for calls that are not made under the executor's own. */
  callUnder(role: IRole): void {
    this.actionsRole = role;
  }

  /** The value of ACTIONS_ROLE_ARN at synthesis: empty without such a role. */
  actionsRoleArn(): string {
    return Lazy.string({ produce: () => this.actionsRole?.roleArn ?? '' });
  }

  /** The deployment watches errands of this kind. */
  watch(type: ErrandType): void {
    this.watched.add(type);
  }

  /** The value of ERRANDS at synthesis: all kinds that are watched by then. */
  watchedAsJson(): string {
    return Lazy.string({ produce: () => JSON.stringify([...this.watched]) });
  }

  /**
   * The value of ADDED_TARGET_ARNS at synthesis: all that are added until then. Their names are known at
   * deployment alone, so they are in the environment of functions, and in no file. `limits/` says how many
   * fit.
   */
  asJson(): string {
    return Lazy.string({ produce: () => JSON.stringify(this.byProject) });
  }
}
