import { ReleaseError, type Step } from './run-steps';

/** A package, and where its tarball is. */
export interface Packed {
  name: string;
  file: string;
}

/** What a release knows of its checkout, before its first step. */
export interface Checkout {
  branch: string;
  commit: string;
  /** Paths that differ from the commit. */
  changes: readonly string[];
  changelog: string;
  /** The commit at which `.ci/run --deep` passed last. */
  deepCommit: string | undefined;
  /** The commit that has the tag of this version. */
  taggedCommit: string | undefined;
}

export interface Deps {
  checkout: Checkout;
  names: readonly string[];
  folder: string;
  registry: string;
  /** Makes the folder, with a tarball of each package. */
  pack: () => readonly Packed[];
  /** Puts what is deployed without the CDK into the folder. */
  writeTemplates: () => void;
  writeSums: () => void;
  /** Deletes the folder. */
  discard: () => void;
  integrityOf: (file: string) => string;
  /** The integrity that the registry has for a version. Undefined: it has none. */
  published: (name: string) => Promise<string | undefined>;
  publish: (file: string) => Promise<void>;
  tag: (name: string, commit: string) => void;
  untag: (name: string) => void;
}

/** The steps of a release, in their order. Until a package is published, all can be taken back. */
export function stepsOf(version: string, deps: Deps): Step[] {
  const files = new Map<string, string>();
  return [
    ...demandsOf(version, deps.checkout),
    ...filesOf(version, deps, files),
    ...lastOf(version, deps, files),
  ];
}

const short = (commit: string): string => commit.slice(0, 8);

function demandsOf(version: string, checkout: Checkout): Step[] {
  const { branch, commit, changes, changelog, deepCommit, taggedCommit } = checkout;
  return [
    {
      says: 'the working tree has no changes',
      refusal: () => (changes.length === 0 ? undefined : `it has ${changes.length}, such as ${changes[0]}`),
    },
    {
      says: 'the branch is main',
      refusal: () => (branch === 'main' ? undefined : `it is ${branch || 'none'}`),
    },
    {
      says: `CHANGELOG.md has a section of ${version}`,
      refusal: () =>
        hasSection(changelog, version)
          ? undefined
          : `it has no heading "## ${version} - YYYY-MM-DD" with a text below; rename "## Unreleased"`,
    },
    {
      says: `.ci/run --deep has passed at ${short(commit)}`,
      refusal: () => {
        if (deepCommit === commit) return undefined;
        return deepCommit === undefined
          ? 'it has not passed in this checkout'
          : `it passed last at ${short(deepCommit)}`;
      },
    },
    {
      says: `no other commit has the tag v${version}`,
      refusal: () =>
        taggedCommit === undefined || taggedCommit === commit
          ? undefined
          : `${short(taggedCommit)} has it; raise the version in package.json`,
    },
  ];
}

function filesOf(version: string, deps: Deps, files: Map<string, string>): Step[] {
  return [
    {
      says: `pack ${deps.names.join(', ')} ${version} into ${deps.folder}`,
      act: () => {
        for (const { name, file } of deps.pack()) files.set(name, file);
      },
      undo: () => deps.discard(),
    },
    {
      says: `write the templates for a deployment without the CDK into ${deps.folder}/templates`,
      act: () => deps.writeTemplates(),
    },
    {
      says: `write ${deps.folder}/SHA256SUMS`,
      act: () => deps.writeSums(),
    },
  ];
}

function lastOf(version: string, deps: Deps, files: Map<string, string>): Step[] {
  const { checkout, registry } = deps;
  const fileOf = (name: string): string => files.get(name)!;
  /** True if the registry has these bytes, false if it has none. Throws if it has others. */
  const isThere = async (name: string): Promise<boolean> => {
    const [theirs, own] = [await deps.published(name), deps.integrityOf(fileOf(name))];
    if (theirs === undefined || theirs === own) return theirs !== undefined;
    throw new ReleaseError(
      `${registry} has another ${name} ${version}: its integrity is ${theirs}, and that of ${fileOf(name)} is ${own}; ` +
        'raise the version in package.json',
    );
  };
  const there = new Set<string>();
  const tag = `v${version}`;
  let tagged = false;
  return [
    {
      says: `compare with ${registry}: it has none of them, or the same bytes`,
      act: async () => {
        for (const name of deps.names) if (await isThere(name)) there.add(name);
      },
    },
    {
      says: `tag ${short(checkout.commit)} as ${tag}`,
      act: () => {
        if (checkout.taggedCommit !== undefined) return;
        deps.tag(tag, checkout.commit);
        tagged = true;
      },
      undo: () => {
        if (tagged) deps.untag(tag);
      },
    },
    ...deps.names.map((name) => ({
      says: `publish ${name} ${version} to ${registry}, unless it is there`,
      act: async () => {
        if (there.has(name)) return;
        await deps.publish(fileOf(name)).catch(async (error: unknown) => {
          // The answer may have been lost, or another release was first.
          if (!(await isThere(name))) throw error;
        });
      },
      final: true,
    })),
  ];
}

/** A heading with the version and a date, and a text below it. */
function hasSection(changelog: string, version: string): boolean {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.some((section) => {
    const [heading = '', ...text] = section.split('\n');
    const [name, date = ''] = heading.split(' - ');
    return name === version && /^\d{4}-\d{2}-\d{2}$/.test(date) && text.some((one) => one.trim() !== '');
  });
}
