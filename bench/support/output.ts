/** What a benchmark found: with `--json` one object on stdout and nothing else, else tables for people. */
export const wantsJson = (): boolean => process.argv.includes('--json');

export const printJson = (value: unknown): boolean =>
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);

export const say = (line = ''): boolean => process.stdout.write(`${line}\n`);

/** Progress goes to stderr, so that stdout holds the result alone. */
export const note = (line: string): boolean => process.stderr.write(`${line}\n`);

export type Cell = string | number;

/** Rows under their heads: text to the left, numbers to the right. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [heads, ...rows].map((row) => row.map(String));
  const widths = heads.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  const isText = heads.map((_, column) => rows.every((row) => typeof row[column] === 'string'));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (isText[column] ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd();
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [line(texts[0]!), rule, ...texts.slice(1).map(line)].join('\n');
}

/** Runs a benchmark; exit code 1 where it fails. */
export function run(name: string, main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    process.stderr.write(
      `${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode = 1;
  });
}
