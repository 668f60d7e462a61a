import { Lazy } from 'aws-cdk-lib';

/** Resources of the program that makes the stack, which it allows as targets by reference. */
export class AddedTargets {
  private readonly byProject: Record<string, string[]> = {};

  /** @param text an ARN, or what `withQualifiers` gives. */
  add(project: string, text: string): void {
    (this.byProject[project] ??= []).push(text);
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
