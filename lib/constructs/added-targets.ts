import { Lazy } from 'aws-cdk-lib';

import { EVERY_PROJECT } from '../../lambdas/core/contracts/target-resources';
import type { StageConfig } from '../config/stage-config';

/** Characters of an ARN whose names are known at deployment alone. Lambda's names have at most 64. */
const RECKONED_LENGTH = 150;
/** Resources of the program that makes the stack, which it allows as targets by reference. */
export class AddedTargets {
  private readonly added: { readonly project: string; readonly arn: string }[] = [];

  /** `room`: characters that they may have. The environment of a function holds 4 KB in all. */
  constructor(private readonly room: number) {}

  /** Throws an Error if functions had no room for one more. */
  add(project: string, arn: string): void {
    if ((this.added.length + 1) * RECKONED_LENGTH > this.room)
      throw new Error(
        `a deployment has room for ${this.added.length} added targets; allow more of them by allowedTargetArns, ` +
          'with * in the name',
      );
    this.added.push({ project, arn });
  }

  /** The value of TARGET_ARNS at synthesis: with all that are added until then. */
  textWith({ allowedTargetArns: configured = [] }: Pick<StageConfig, 'allowedTargetArns'>): string {
    return Lazy.string({
      produce: () => {
        if (Array.isArray(configured) && this.added.every(({ project }) => project === EVERY_PROJECT))
          return [...configured, ...this.added.map(({ arn }) => arn)].join(',');
        const byProject: Record<string, readonly string[]> = Array.isArray(configured)
          ? { [EVERY_PROJECT]: configured }
          : { ...configured };
        for (const { project, arn } of this.added) byProject[project] = [...(byProject[project] ?? []), arn];
        return JSON.stringify(byProject);
      },
    });
  }
}
