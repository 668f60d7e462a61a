import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import patches from '../../e2e/console/patches.json';

const root = join(__dirname, '../../..');

test.each(patches.flatMap(({ rule, edits }) => edits.map((edit) => ({ rule, ...edit }))))(
  'the patch of rule $rule applies to $file',
  ({ file, from, to }) => {
    expect(readFileSync(join(root, file), 'utf8').split(from)).toHaveLength(2);
    expect(to).not.toBe(from);
  },
);
