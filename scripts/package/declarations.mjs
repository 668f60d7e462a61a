import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { withFlatNames } from './flat-schema.mjs';

/** A member, with the comment in front of it. */
const PRIVATE =
  /(?:^ *\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^ *private (?!constructor\b)(?:static |readonly )*\w+\??(?:: [^\n{}]+)?;\n/gm;

const IMPORTED = /(?:from|import\(?)\s*['"](\.[^'"]+)['"]/g;

/**
 * Copies the declarations that an entry leads to, and none other: those describe the inside, and import
 * packages that users do not have. Private members are no use to them either. Four spaces become a tab, which
 * is a tenth of the bytes. Lines end without semicolons, which is a fiftieth.
 */
export function copyDeclarations(from, to, entries) {
  const copied = new Set();
  const visit = (file) => {
    if (copied.has(file)) return;
    copied.add(file);
    const source = join(from, file);
    if (!existsSync(source)) throw new Error(`a declaration imports ${file}, which is none`);
    const text = readFileSync(source, 'utf8');
    mkdirSync(dirname(join(to, file)), { recursive: true });
    writeFileSync(join(to, file), withoutSemicolons(withTabs(withoutPrivate(withFlatNames(text)))));
    for (const [, path] of text.matchAll(IMPORTED))
      visit(declarationAt(from, relative(from, join(dirname(source), path.replace(/\.ts$/, '')))));
  };
  for (const entry of entries) visit(entry);
}

const declarationAt = (folder, path) =>
  existsSync(join(folder, `${path}.d.ts`)) ? `${path}.d.ts` : join(path, 'index.d.ts');

/** A private constructor stays: it says that users make none. */
const withoutPrivate = (text) => text.replace(PRIVATE, '');

const withoutSemicolons = (text) => text.replaceAll(/;$/gm, '');

const withTabs = (text) => text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
