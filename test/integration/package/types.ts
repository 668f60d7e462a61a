import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CHECKOUT_DIR, STRICTEST, type UserFolder } from './user-folder';

/** The package writes the types of the API anew, in fewer bytes. */
export const typesSuite = (user: () => UserFolder): void =>
  test('each type of the API is the one of the sources, and never any', () => {
    const sources = join(CHECKOUT_DIR, 'client/types.ts');
    const names = [...readFileSync(sources, 'utf8').matchAll(/^export type (\w+) =/gm)].map(
      ([, name]) => name,
    );
    expect(names.length).toBeGreaterThan(70);
    user().write(
      'types.ts',
      `import type * as packed from 'quarterjack';
import type * as sources from '${sources}';
type IsAny<T> = 0 extends 1 & T ? true : false;
type IsOf<A, B> = IsAny<A> extends true ? false : [A] extends [B] ? ([B] extends [A] ? true : false) : false;
export const same: [${names.map((name) => `IsOf<packed.${name}, sources.${name}>`).join(', ')}] =
  [${names.map(() => 'true').join(', ')}];
`,
    );
    const flags = [...STRICTEST, '--allowImportingTsExtensions'];
    expect(user().typeReport(['types.ts'], ...flags)).toEqual([]);
  });
