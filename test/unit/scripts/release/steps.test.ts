import { sayAll, takeAll } from '../../../../scripts/release/run-steps';
import { type Checkout, type Deps, stepsOf } from '../../../../scripts/release/steps';

const VERSION = '0.1.0';
const COMMIT = 'aaaaaaaa1111';
const OTHER = 'bbbbbbbb2222';
const NAMES = ['one', 'two', 'three'];
const FIT: Checkout = {
  branch: 'main',
  commit: COMMIT,
  changes: [],
  changelog: '# Changelog\n\n## 0.1.0 - 2026-11-29\n\nThe first one.\n',
  deepCommit: COMMIT,
  taggedCommit: undefined,
};

/** What a release has left: files, tags and packages. The integrity of a tarball is its name. */
function world(checkout: Partial<Checkout> = {}, registry: Record<string, string> = {}) {
  const left = {
    folder: false,
    templates: false,
    sums: false,
    tags: new Map<string, string>(),
    registry: new Map<string, string>(),
  };
  for (const [name, integrity] of Object.entries(registry)) left.registry.set(name, integrity);
  const lines: string[] = [];
  const deps: Deps = {
    checkout: { ...FIT, ...checkout },
    names: NAMES,
    folder: 'dist/release/0.1.0',
    registry: 'http://registry.test',
    pack: () => {
      left.folder = true;
      return NAMES.map((name) => ({ name, file: `${name}.tgz` }));
    },
    writeTemplates: () => void (left.templates = true),
    writeSums: () => void (left.sums = true),
    discard: () => void (left.folder = left.templates = left.sums = false),
    integrityOf: (file) => `of ${file}`,
    published: (name) => Promise.resolve(left.registry.get(name)),
    publish: (file) => {
      left.registry.set(file.replace('.tgz', ''), `of ${file}`);
      return Promise.resolve();
    },
    tag: (name, commit) => void left.tags.set(name, commit),
    untag: (name) => void left.tags.delete(name),
  };
  const print = (line: string): void => void lines.push(line);
  return {
    left,
    lines,
    deps,
    say: () => sayAll(stepsOf(VERSION, deps), print),
    take: () => takeAll(stepsOf(VERSION, deps), print),
  };
}

const NOTHING = { folder: false, templates: false, sums: false, tags: new Map(), registry: new Map() };
const ALL = new Map(NAMES.map((name) => [name, `of ${name}.tgz`]));
const WHOLE = {
  folder: true,
  templates: true,
  sums: true,
  tags: new Map([['v0.1.0', COMMIT]]),
  registry: ALL,
};

test('packages, checksums, a tag and a registry', async () => {
  const { left, take } = world();
  await take();
  expect(left).toEqual(WHOLE);
});

test.each<[string, Partial<Checkout>, string]>([
  ['a changed file', { changes: ['a.ts', 'b.ts'] }, 'it has 2, such as a.ts'],
  ['another branch', { branch: 'topic' }, 'it is topic'],
  ['no branch', { branch: '' }, 'it is none'],
  ['no section', { changelog: '## Unreleased\n\nText.\n' }, 'it has no heading "## 0.1.0 - YYYY-MM-DD"'],
  ['a section of a longer version', { changelog: '## 0.1.00 - 2026-11-29\n\nText.\n' }, 'it has no heading'],
  ['a section without a date', { changelog: '## 0.1.0\n\nText.\n' }, 'it has no heading'],
  [
    'an empty section',
    { changelog: '## 0.1.0 - 2026-11-29\n\n## 0.0.9 - 2026-11-28\n\nText.\n' },
    'with a text below',
  ],
  ['no deep run', { deepCommit: undefined }, 'it has not passed in this checkout'],
  ['a deep run of another commit', { deepCommit: OTHER }, 'it passed last at bbbbbbbb'],
  ['a tag at another commit', { taggedCommit: OTHER }, 'bbbbbbbb has it; raise the version'],
])('%s is refused, and nothing has changed', async (_, checkout, reason) => {
  const { left, take, say, lines } = world(checkout);
  await expect(take()).rejects.toThrow(reason);
  expect(left).toEqual(NOTHING);
  expect(say()).toBe(1);
  expect(lines.join('\n')).toContain(reason);
});

test('a dry run says all steps, also after one that refuses, and changes nothing', () => {
  const { left, say, lines } = world({ branch: 'topic' });
  expect(say()).toBe(1);
  expect(left).toEqual(NOTHING);
  expect(lines).toEqual([
    ' 1 ok    the working tree has no changes',
    ' 2 no    the branch is main: it is topic',
    ' 3 ok    CHANGELOG.md has a section of 0.1.0',
    ' 4 ok    .ci/run --deep has passed at aaaaaaaa',
    ' 5 ok    no other commit has the tag v0.1.0',
    ' 6 to do pack one, two, three 0.1.0 into dist/release/0.1.0',
    ' 7 to do write the templates for a deployment without the CDK into dist/release/0.1.0/templates',
    ' 8 to do write dist/release/0.1.0/SHA256SUMS',
    ' 9 to do compare with http://registry.test: it has none of them, or the same bytes',
    '10 to do tag aaaaaaaa as v0.1.0',
    '11 to do publish one 0.1.0 to http://registry.test, unless it is there',
    '12 to do publish two 0.1.0 to http://registry.test, unless it is there',
    '13 to do publish three 0.1.0 to http://registry.test, unless it is there',
  ]);
});

test.each(['pack', 'writeTemplates', 'writeSums', 'integrityOf', 'published', 'tag'] as const)(
  'if %s fails, nothing has changed',
  async (step) => {
    const { left, deps, take } = world();
    deps[step] = () => {
      throw new Error(`${step} failed`);
    };
    await expect(take()).rejects.toThrow(`${step} failed`);
    expect(left).toEqual(NOTHING);
  },
);

test('if the first package is refused, nothing has changed', async () => {
  const { left, deps, take } = world();
  deps.publish = () => Promise.reject(new Error('no rights'));
  await expect(take()).rejects.toThrow('no rights');
  expect(left).toEqual(NOTHING);
});

test('a repeat after a half publish publishes the rest alone, and keeps the tag', async () => {
  const { left, deps, take } = world();
  const { publish } = deps;
  const given: string[] = [];
  deps.publish = (file) => {
    given.push(file);
    return file === 'two.tgz' && given.length === 2 ? Promise.reject(new Error('cut off')) : publish(file);
  };
  await expect(take()).rejects.toThrow('cut off');
  expect(left).toEqual({ ...WHOLE, registry: new Map([['one', 'of one.tgz']]) });

  deps.checkout = { ...deps.checkout, taggedCommit: COMMIT };
  await take();
  expect(left).toEqual(WHOLE);
  expect(given).toEqual(['one.tgz', 'two.tgz', 'two.tgz', 'three.tgz']);
});

test('other bytes of the version are refused, also if they are of the last package', async () => {
  const { left, take } = world({}, { three: 'of another' });
  await expect(take()).rejects.toThrow(
    'http://registry.test has another three 0.1.0: its integrity is of another, and that of three.tgz is of three.tgz',
  );
  expect(left).toEqual({ ...NOTHING, registry: new Map([['three', 'of another']]) });
});

test('a tag that was there stays, whatever fails', async () => {
  const { left, take, deps } = world({ taggedCommit: COMMIT });
  left.tags.set('v0.1.0', COMMIT);
  deps.publish = () => Promise.reject(new Error('no rights'));
  await expect(take()).rejects.toThrow('no rights');
  expect(left.tags).toEqual(new Map([['v0.1.0', COMMIT]]));
});

test('a package whose answer was lost is published', async () => {
  const { left, deps, take } = world();
  const { publish } = deps;
  deps.publish = async (file) => {
    await publish(file);
    throw new Error('the version exists');
  };
  await take();
  expect(left).toEqual(WHOLE);
});

test('of two releases at a time, the second fails if its bytes differ', async () => {
  const { left, deps, take } = world();
  deps.publish = () => {
    left.registry.set('one', 'of another');
    return Promise.reject(new Error('the version exists'));
  };
  await expect(take()).rejects.toThrow('http://registry.test has another one 0.1.0');
});
