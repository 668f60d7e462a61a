/** What has to be undone at the end, the last first. Every step runs, whatever becomes of the others. */
export class Stopping {
  private readonly steps: (() => unknown)[] = [];
  private running: Promise<void> | undefined;

  add(step: () => unknown): void {
    this.steps.push(step);
  }

  /** Runs the steps once; whoever calls again waits for the same end. Throws the first error of a step. */
  run(): Promise<void> {
    this.running ??= this.runSteps();
    return this.running;
  }

  private async runSteps(): Promise<void> {
    const errors: unknown[] = [];
    for (const step of this.steps.reverse())
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
