import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const ROOT = join(__dirname, '../../..');

/** A page, and the folders whose folders it describes. */
const PAGES: readonly [page: string, roots: readonly string[]][] = [
  ['lambdas/README.md', ['lambdas', 'lambdas/core']],
  ['lambdas/api/README.md', ['lambdas/api']],
  ['lib/README.md', ['lib']],
  ['local/README.md', ['local', 'local/services/dynamodb']],
  ['console/README.md', ['console']],
  ['test/README.md', ['test', 'test/integration']],
];
/** The first two have a line for each of their rooms; in `public/` are files that Vite copies as they are. */
const NO_ROOM: ReadonlySet<string> = new Set(['lambdas/core', 'test/integration', 'console/public']);

const foldersOf = (root: string): string[] =>
  readdirSync(join(ROOT, root), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_ROOM.has(`${root}/${entry.name}`))
    .map(({ name }) => name);

/** The folders in the first column of a table: `jobs/`, or a folder of one, `ending/runs/`. */
const namedIn = (page: string): string[] =>
  readFileSync(join(ROOT, page), 'utf8')
    .split('\n')
    .flatMap((line) => [...(/^\| ([^|]+)\|/.exec(line)?.[1] ?? '').matchAll(/`([\w/-]+)\/`/g)])
    .map(([, folder = '']) => folder);

describe.each(PAGES)('%s', (page, roots) => {
  const named = namedIn(page);

  test('has a line for each folder', () => {
    const rooms = roots.flatMap((root) => foldersOf(root).map((name) => ({ root, name })));
    expect(rooms.length).toBeGreaterThan(0);
    const isNamed = ({ root, name }: (typeof rooms)[number]) => {
      const spellings = [name, relative(dirname(page), `${root}/${name}`)];
      return spellings.some((room) => named.some((one) => one === room || one.startsWith(`${room}/`)));
    };
    expect(rooms.filter((room) => !isNamed(room))).toEqual([]);
  });

  test('names no folder that is not there', () => {
    const isThere = (folder: string) =>
      [...roots, dirname(page)].some((root) => existsSync(join(ROOT, root, folder)));
    expect(named.filter((folder) => !isThere(folder))).toEqual([]);
  });
});
