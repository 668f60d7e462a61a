/** Changes that are written and synced together. All that wait for them share one promise. */
export class Batch {
  readonly lines: Buffer[] = [];
  private waiting: Promise<void> | undefined;
  /** Settles `waiting`. Without effect if nothing waits, or a second time. */
  resolve: () => void = () => undefined;
  reject: (error: Error) => void = () => undefined;

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  /** Settles with the write. Made at the first use: nothing waits for some batches. */
  get written(): Promise<void> {
    this.waiting ??= new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    return this.waiting;
  }
}
