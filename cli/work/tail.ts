/** The last bytes of a stream. */
export class Tail {
  private bytes: Buffer = Buffer.alloc(0);

  constructor(private readonly maxBytes: number) {}

  push(chunk: Buffer): void {
    const end = chunk.subarray(-this.maxBytes);
    const kept = this.bytes.subarray(Math.max(0, this.bytes.length + end.length - this.maxBytes));
    this.bytes = Buffer.concat([kept, end]);
  }

  /** Whether something may have been cut. */
  get isFull(): boolean {
    return this.bytes.length === this.maxBytes;
  }

  /** As text, without a character that was cut, and without space at its ends. */
  text(): string {
    return this.bytes
      .toString('utf8')
      .replace(/^\uFFFD+/, '')
      .trim();
  }
}
