import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const IMPORTED = /(?:from|import\(?)\s*['"](\.[^'"]+)['"]/g;

/**
 * Deletes the declarations below a folder that no public declaration leads to: they describe the inside, and
 * import packages that users do not have.
 */
export function removeUnreachableDeclarations(folder, entries) {
  const reachable = new Set();
  const visit = (file) => {
    if (reachable.has(file)) return;
    reachable.add(file);
    const source = join(folder, file);
    if (!existsSync(source)) return; // copied later, or no declaration
    for (const [, path] of readFileSync(source, 'utf8').matchAll(IMPORTED))
      visit(relative(folder, `${join(dirname(source), path.replace(/\.ts$/, ''))}.d.ts`));
  };
  for (const entry of entries) visit(entry);
  for (const file of readdirSync(folder, { recursive: true }))
    if (file.endsWith('.d.ts') && !reachable.has(file)) rmSync(join(folder, file));
  removeEmptyFolders(folder);
}

function removeEmptyFolders(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeEmptyFolders(join(folder, entry.name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
