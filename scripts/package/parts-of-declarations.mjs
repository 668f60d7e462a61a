/**
 * A file of declarations as TypeScript writes it: what it imports, exports from other files, and declares.
 */

/** All names that a module exports. */
export const ALL = '*';

const START = /^(?:export|import|declare|interface|type|\/\*\*)/;
const DECLARED =
  /^(export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type|enum|namespace) (\w+)/m;
const FROM = /^(import|export) (?:type )?(?:\* as (\w+)|(\*)|\{([^}]*)\}) from ['"]([^'"]+)['"];\n$/;
const LOCAL = /^export (?:type )?\{ ([^}]+) \};\n$/;
const FOR_ITS_EFFECT = /^import '[^']+';\n$/;
const INLINED = /import\("([^"]+)"\)\.(\w+)/g;

/** Throws for a statement of another kind, such as an export by default. */
export function partsOf(text) {
  const parts = { imports: [], exports: [], declarations: [], hasOwnExports: false };
  for (const statement of statementsIn(text)) {
    const [, kind, space, all, list, module] = FROM.exec(statement.code) ?? [];
    const [, exported, name] = DECLARED.exec(statement.code) ?? [];
    if (kind !== undefined) {
      const names = list === undefined ? [{ of: ALL, as: space ?? all }] : namesIn(list);
      if (kind === 'import') parts.imports.push(...names.map((one) => ({ ...one, module })));
      else parts.exports.push({ names, module, text: statement.code });
    } else if (LOCAL.test(statement.code)) {
      const [, list] = LOCAL.exec(statement.code);
      parts.declarations.push(...namesIn(list).map(exportedName));
    } else if (name !== undefined)
      parts.declarations.push({
        name,
        text: statement.comment + statement.code,
        isExported: exported !== undefined,
        isWanted: false,
        words: new Set(statement.code.match(/\w+/g)),
        inlined: [...statement.code.matchAll(INLINED)].map(([, from, of]) => ({ of, module: from })),
      });
    else if (statement.code === 'export {};\n') parts.hasOwnExports = true;
    else if (!FOR_ITS_EFFECT.test(statement.code) && statement.code !== '')
      throw new Error(`a declaration of another kind: ${statement.code}`);
  }
  return parts;
}

const exportedName = ({ of, as }) => ({
  name: as,
  text: of === as ? `export { ${of} };\n` : `export { ${of} as ${as} };\n`,
  isExported: true,
  isWanted: false,
  words: new Set([of]),
  inlined: [],
});

/** What is wanted of a file, as its text. All names that it exports from other files are kept. */
export function textOf({ imports, exports, declarations, hasOwnExports }) {
  const kept = declarations.filter((one) => one.isWanted);
  const used = imports.filter(({ as }) => kept.some(({ words }) => words.has(as)));
  const modules = [...new Set(used.map(({ module }) => module))];
  const lines = modules.flatMap((module) => importsFrom(module, used));
  const texts = [...exports, ...kept].map(({ text }) => text);
  return [...lines, ...texts, ...(hasOwnExports ? ['export {};\n'] : [])].join('');
}

/** A statement begins in the first column, with its comment, if it has one. */
function statementsIn(text) {
  const statements = [];
  let last;
  for (const line of text.replace(/\n{2,}/g, '\n').split(/(?<=\n)/)) {
    const isComment = line.startsWith('/**');
    const startsCode = START.test(line) && !isComment;
    if (isComment || (startsCode && (last === undefined || last.code !== ''))) {
      last = { comment: '', code: '' };
      statements.push(last);
    }
    if (startsCode || last.code !== '') last.code += line;
    else last.comment += line;
  }
  return statements;
}

const namesIn = (list) =>
  list
    .split(',')
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .map((name) => {
      const [of, as = of] = name.split(' as ');
      return { of, as };
    });

function importsFrom(module, used) {
  const names = used.filter((one) => one.module === module);
  const spaces = names.filter(({ of }) => of === ALL);
  const listed = names
    .filter(({ of }) => of !== ALL)
    .map(({ of, as }) => (of === as ? of : `${of} as ${as}`));
  return [
    ...spaces.map(({ as }) => `import * as ${as} from '${module}';\n`),
    ...(listed.length === 0 ? [] : [`import { ${listed.join(', ')} } from '${module}';\n`]),
  ];
}
