/**
 * The path of a bundle of a program of this checkout: one CommonJS file with all that it imports. It is made
 * once for each state of the sources, and may be asked for by several processes at a time.
 *
 * @param entry the program, relative to the checkout: `local/cli.ts`
 * @param onBuild called before the bundle is made
 * @throws the error of esbuild, with the place in the source
 */
export function programFile(entry: string, onBuild?: () => void): Promise<string>;

/** What to print of an error of `programFile`: `run npm ci` if packages are missing, else a stack trace. */
export function faultText(error: unknown): string;
