/**
 * Names a state of sources: a hash of files, of all files of folders but installed packages, and of the
 * version of Node.js. What is built from them is valid as long as it is the same.
 *
 * @param paths the files and folders, relative to `root`
 * @param also what the result of the build depends on besides
 */
export function sourceHash(root: string, paths: readonly string[], also?: string): string;
