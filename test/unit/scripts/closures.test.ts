import { closuresOf, MOST_FILES } from '../../../scripts/closures/closures';

test('no module reaches more files than before; where it reaches fewer, the number is lowered', async () => {
  const closures = await closuresOf(Object.keys(MOST_FILES));
  const counted = Object.fromEntries([...closures].map(([entry, files]) => [entry, files.length]));
  expect(counted).toEqual(MOST_FILES);
});

test('imports of types and of packages do not count', async () => {
  const entry = 'lambdas/core/store/lease-handle.ts';
  expect(await closuresOf([entry])).toEqual(new Map([[entry, [entry]]]));
});
