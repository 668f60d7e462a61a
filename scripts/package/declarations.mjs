import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { withFlatNames } from './flat-schema.mjs';
import { ALL, partsOf, textOf } from './parts-of-declarations.mjs';

/** A member, with the comment in front of it. */
const PRIVATE =
  /(?:^ *\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^ *private (?!constructor\b)(?:static |readonly )*\w+\??(?:: [^\n{}]+)?;\n/gm;

/**
 * Copies the declarations that entries lead to, name by name, and none other: those describe the inside, and
 * import packages that users do not have. Private members are no use to them either. Four spaces become a
 * tab, which is a tenth of the bytes. Lines end without semicolons, which is a fiftieth.
 */
export function copyDeclarations(from, to, entries) {
  const files = new Map();
  const fileAt = (path) => {
    if (!files.has(path)) files.set(path, { ...partsOf(textIn(from, path)), wanted: new Set() });
    return files.get(path);
  };
  const want = (path, name) => {
    const file = fileAt(path);
    if (file.wanted.has(name)) return;
    file.wanted.add(name);
    const wantFrom = (module, one) => {
      if (module.startsWith('.')) want(declarationAt(from, normalize(join(dirname(path), module))), one);
    };
    for (const { names, module } of file.exports)
      for (const { of, as } of names)
        if (of === ALL) wantFrom(module, name);
        else if (name === ALL || as === name) wantFrom(module, of);
    for (const declaration of file.declarations) {
      if (declaration.name !== name && !(name === ALL && declaration.isExported)) continue;
      declaration.isWanted = true;
      for (const { of, as, module } of file.imports) if (declaration.words.has(as)) wantFrom(module, of);
      for (const { of, module } of declaration.inlined) wantFrom(module, of);
      for (const other of file.declarations) if (declaration.words.has(other.name)) want(path, other.name);
    }
  };
  for (const entry of entries) want(entry, ALL);
  for (const [path, file] of files) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), withoutSemicolons(withTabs(textOf(file))));
  }
}

function textIn(folder, path) {
  if (!existsSync(join(folder, path))) throw new Error(`a declaration imports ${path}, which is none`);
  return withFlatNames(readFileSync(join(folder, path), 'utf8').replace(PRIVATE, ''));
}

const declarationAt = (folder, path) =>
  existsSync(join(folder, `${path}.d.ts`)) ? `${path}.d.ts` : join(path, 'index.d.ts');

const withoutSemicolons = (text) => text.replaceAll(/;$/gm, '');

const withTabs = (text) => text.replace(/^(?: {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4));
