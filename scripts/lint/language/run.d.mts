export function run(args: readonly string[], cwd: string, print: (line: string) => void): 0 | 1;
