import { type Document, isMap, isNode, isScalar, type LineCounter, type Scalar, visit } from 'yaml';

export type FieldPath = readonly (string | number)[];

/** The parts of a dotted path. */
export const partsOf = (field: string): string[] => field.split('.').filter(Boolean);

/** Where the fields of a parsed file stand in it. */
export class Positions {
  constructor(
    private readonly document: Document.Parsed,
    private readonly lines: LineCounter,
    private readonly path: string,
    /** The texts of quoted variables, before they were replaced. */
    private readonly quoted: ReadonlyMap<Scalar, string> = new Map(),
  ) {}

  /** `jobs.yaml:12`: the line of the value at a path, or of its nearest parent. */
  of(at: FieldPath): string {
    for (let depth = at.length; depth >= 0; depth--) {
      const start = this.startOf(at.slice(0, depth));
      if (start !== undefined) return this.line(start);
    }
    return this.path;
  }

  has(at: FieldPath): boolean {
    return this.document.getIn(at, true) !== undefined;
  }

  /** What is to be said of a value that may be wrong because its variable is in quotes; else empty. */
  hint(at: FieldPath): string {
    const node = this.document.getIn(at, true);
    const variable = isScalar(node) ? this.quoted.get(node) : undefined;
    return variable === undefined
      ? ''
      : `; the quotes make it a text: write ${variable} without quotes, on a line of its own and not in { }`;
  }

  /** The keys that an object of the file has twice: of each, its path and both lines. */
  repeated(): { at: string[]; message: string; where: string }[] {
    const found: { at: string[]; message: string; where: string }[] = [];
    visit(this.document, {
      Map: (_key, map, ancestors) => {
        const above = ancestors.flatMap((node) =>
          'key' in node && isScalar(node.key) ? [String(node.key.value)] : [],
        );
        const seen = new Map<string, number>();
        for (const { key } of map.items) {
          if (!isScalar(key)) continue;
          const name = String(key.value);
          const start = key.range?.[0] ?? 0;
          const first = seen.get(name);
          if (first === undefined) seen.set(name, start);
          else if (name !== '<<')
            found.push({
              at: [...above, name],
              message: `is already defined at ${this.line(first)}`,
              where: this.line(start),
            });
        }
      },
    });
    return found;
  }

  private line(offset: number): string {
    return `${this.path}:${this.lines.linePos(offset).line}`;
  }

  /** The offset of the value at a path. In an object, that of its key: the value may be on the next line. */
  private startOf(at: FieldPath): number | undefined {
    const parent = at.length <= 1 ? this.document.contents : this.document.getIn(at.slice(0, -1), true);
    if (isMap(parent)) {
      const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(at.at(-1)));
      if (pair && isNode(pair.key)) return pair.key.range?.[0];
    }
    const node = at.length === 0 ? this.document.contents : this.document.getIn(at, true);
    return isNode(node) ? node.range?.[0] : undefined;
  }
}
