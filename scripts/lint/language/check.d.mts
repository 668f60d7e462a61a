export interface Finding {
  path: string;
  line: number;
  rule: 'term' | 'opening' | 'sentence' | 'width' | 'cell' | 'size' | 'export';
  /** The id of the banned term; only for the rule `term`. */
  term?: string;
  /** The text that breaks the rule, or its beginning. */
  found: string;
  message: string;
}

export interface Exception {
  path: RegExp;
  rules: readonly Finding['rule'][];
  found?: RegExp;
  reason: string;
}

export function checkSources(
  sources: readonly (readonly [path: string, text: string])[],
  options?: { isSelected?: (path: string) => boolean; exceptions?: readonly Exception[] },
): { findings: Finding[]; unused: Exception[] };
