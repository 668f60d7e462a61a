/** The undo of every step so far. Shutdown runs them all, the last first, even if some of them fail. */
export class ShutdownStack {
  private readonly undos: (() => unknown)[] = [];
  private running: Promise<void> | undefined;

  /** Registers the undo of a step that has just succeeded. Returns what the step has started. */
  add<Started>(started: Started, undo: (started: Started) => unknown): Started {
    this.undos.push(() => undo(started));
    return started;
  }

  /**
   * Runs once; a further call waits for the same result. Throws the first error of an undo, after all have
   * run.
   */
  run(): Promise<void> {
    this.running ??= this.undoAll();
    return this.running;
  }

  private async undoAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const undo of this.undos.reverse())
      try {
        await undo();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
