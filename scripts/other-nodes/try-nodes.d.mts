export interface Suite {
  name: string;
  args: string[];
}

export function tryNodes(options: {
  majors: readonly string[];
  suites: readonly Suite[];
  nodeOf: (major: string) => Promise<string>;
  run: (program: string, suite: Suite) => Promise<number>;
  print: (line: string) => void;
  nowMs: () => number;
}): Promise<number>;
