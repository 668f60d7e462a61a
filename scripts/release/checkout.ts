import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Checkout } from './steps';

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();

/** `.ci/run --deep` writes the commit here at which it has passed. */
const DEEP = '.quarterjack/deep-passed';

export function readCheckout(root: string, version: string): Checkout {
  const deep = join(root, DEEP);
  return {
    branch: git(root, 'branch', '--show-current'),
    commit: git(root, 'rev-parse', 'HEAD'),
    changes: git(root, 'status', '--porcelain')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.slice('XY '.length)),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    deepCommit: existsSync(deep) ? readFileSync(deep, 'utf8').trim() : undefined,
    taggedCommit: git(root, 'for-each-ref', '--format=%(objectname) %(*objectname)', `refs/tags/v${version}`)
      .split(' ')
      .findLast(Boolean),
  };
}

export const tag = (root: string, name: string, commit: string): void =>
  void git(root, 'tag', '--annotate', '--message', `Quarterjack ${name}`, name, commit);

export const untag = (root: string, name: string): void => void git(root, 'tag', '--delete', name);
