import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { UserFolder } from './user-folder';

/** The packages as they are installed: what they hold, and what is bundled in them. */
export const contentsSuite = (user: () => UserFolder): void =>
  describe.each([
    { name: 'quarterjack', bytes: 320_000, bundled: ['openapi-fetch'] },
    {
      name: '@quarterjack/cli',
      bytes: 12_500_000,
      bundled: ['commander', 'yaml', 'jose', 'uplot', '@middy/core'],
    },
    {
      name: '@quarterjack/cdk',
      bytes: 4_900_000,
      bundled: ['zod', '@aws-sdk/client-sqs', 'preact', 'uplot'],
    },
  ])('$name', ({ name, bytes, bundled }) => {
    const folder = () => join(user().dir, 'node_modules', name);

    test(`has less than ${bytes / 1_000} kB, and no dependency`, () => {
      const files = readdirSync(folder(), { recursive: true, encoding: 'utf8' });
      const sizes = files.map((file) => statSync(join(folder(), file))).filter((stat) => stat.isFile());
      expect(sizes.reduce((sum, { size }) => sum + size, 0)).toBeLessThan(bytes);
      const manifest = JSON.parse(readFileSync(join(folder(), 'package.json'), 'utf8')) as object;
      expect(manifest).not.toHaveProperty('dependencies');
      expect(manifest).toMatchObject({ name, version: '0.1.0', license: 'Apache-2.0' });
      for (const field of ['homepage', 'bugs', 'repository', 'keywords', 'author', 'files'])
        expect(manifest).toHaveProperty(field);
      expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md']));
    });

    test('names the licences of what is bundled in it, and no other', () => {
      const licences = readFileSync(join(folder(), 'THIRD-PARTY-LICENSES.txt'), 'utf8');
      for (const one of bundled) expect(licences).toMatch(new RegExp(`^${one} \\d`, 'm'));
      if (name === 'quarterjack')
        expect(licences.match(/^\S+ \d+\.\d+\.\d+ \(/gm)).toHaveLength(bundled.length);
    });
  });
