/** The values of a cron field: a set of small whole numbers with a fast search for the next member. */
export class ValueSet {
  static readonly NONE = -1;
  /** `following[value - min]`: the least member that is not below `value`. */
  private readonly following: Int16Array;

  constructor(
    values: Iterable<number>,
    private readonly min: number,
    private readonly max: number,
  ) {
    this.following = new Int16Array(max - min + 1).fill(ValueSet.NONE);
    for (const value of values) this.following[value - min] = value;
    for (let index = max - min - 1; index >= 0; index--) {
      if (this.following[index] === ValueSet.NONE) this.following[index] = this.following[index + 1]!;
    }
  }

  get first(): number {
    return this.following[0]!;
  }

  has(value: number): boolean {
    return this.atOrAfter(value) === value;
  }

  /** The least member `>= value`, or `NONE`. */
  atOrAfter(value: number): number {
    if (value > this.max) return ValueSet.NONE;
    return this.following[Math.max(value - this.min, 0)]!;
  }

  /** The members that the other set lacks; undefined if it has them all. */
  without(other: ValueSet): ValueSet | undefined {
    const rest: number[] = [];
    for (let value = this.first; value !== ValueSet.NONE; value = this.atOrAfter(value + 1)) {
      if (!other.has(value)) rest.push(value);
    }
    return rest.length > 0 ? new ValueSet(rest, this.min, this.max) : undefined;
  }
}
