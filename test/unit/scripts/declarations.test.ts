import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { copyDeclarations } from '../../../scripts/package/declarations.mjs';

/** What is copied of some files, from `index.d.ts` on. */
function copied(files: Record<string, string>): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-declarations-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, 'from', path)), { recursive: true });
      writeFileSync(join(folder, 'from', path), text);
    }
    copyDeclarations(join(folder, 'from'), join(folder, 'to'), ['index.d.ts']);
    const paths = readdirSync(join(folder, 'to'), { recursive: true, encoding: 'utf8' });
    const texts = paths.filter((path) => path.endsWith('.d.ts')).toSorted();
    return Object.fromEntries(texts.map((path) => [path, readFileSync(join(folder, 'to', path), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('what an entry leads to is copied, and the rest of those files is not', () => {
  expect(
    copied({
      'index.d.ts': `/** The entry. */\nexport * from './all';\nexport { A, type B as Other } from './some/ab';\n`,
      'all.d.ts': `/** Of all. */\nexport interface All {\n    one: number;\n}\ntype Inside = string;\nexport {};\n`,
      'some/ab.d.ts': `import type { Peer, Unused } from 'peer';
import { C } from '../c';
import './effect';
/** Is A. */
export declare class A {
    private readonly secret;
    c: C<Peer>;
}
export type B = import("../d").D;
export declare const unused: import("../unused").Nothing;
`,
      'c.d.ts': `type Inner = 1;\nexport type C<T> = Inner | T;\nexport type Unused = 2;\nexport {};\n`,
      'd.d.ts': `interface D {\n    d: 1;\n}\ninterface E {\n    e: 1;\n}\nexport { D };\nexport { E };\n`,
      'unused.d.ts': `export type Nothing = 0;\n`,
    }),
  ).toEqual({
    'index.d.ts': `export * from './all'\nexport { A, type B as Other } from './some/ab'\n`,
    'all.d.ts': `/** Of all. */\nexport interface All {\n\tone: number\n}\nexport {}\n`,
    'some/ab.d.ts': `import { Peer } from 'peer'
import { C } from '../c'
/** Is A. */
export declare class A {
\tc: C<Peer>
}
export type B = import("../d").D
`,
    'c.d.ts': `type Inner = 1\nexport type C<T> = Inner | T\nexport {}\n`,
    'd.d.ts': `interface D {\n\td: 1\n}\nexport { D }\n`,
  });
});

test('a declaration that cannot be understood, or that is missing, is an error', () => {
  expect(() => copied({ 'index.d.ts': 'export default 1;\n' })).toThrow('of another kind: export default 1');
  expect(() => copied({ 'index.d.ts': `export { A } from './a';\n` })).toThrow('imports a/index.d.ts');
});
