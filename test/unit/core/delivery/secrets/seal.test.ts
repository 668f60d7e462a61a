import {
  isSealedWith,
  seal as sealWith,
  type SealingKeys,
  unseal,
} from '../../../../../lambdas/core/delivery/secrets/seal';
import { FakeRandom } from '../../../../support/fake-random';

const versions = new Map([
  ['v1', Buffer.alloc(32, 1)],
  ['v2', Buffer.alloc(32, 2)],
]);
const keysAt = (version: string): SealingKeys => ({
  current: async () => ({ version, secret: versions.get(version)! }),
  version: async (id) => versions.get(id),
});
const of = { project: 'alice', name: 'crm' };
const random = new FakeRandom(1);
const seal = (keys: SealingKeys, as: typeof of, value: string) => sealWith(keys, as, value, random);

it('opens as what was sealed, also after the key has a new version', async () => {
  const sealed = await seal(keysAt('v1'), of, 'pässword');
  expect(sealed).toMatch(/^s1\.v1\.[\w-]{16}\.[\w-]+$/);
  expect(await unseal(keysAt('v1'), of, sealed)).toBe('pässword');
  expect(await unseal(keysAt('v2'), of, sealed)).toBe('pässword');
  expect([isSealedWith(sealed, 'v1'), isSealedWith(sealed, 'v2')]).toEqual([true, false]);
});

it('is another text each time', async () => {
  expect(await seal(keysAt('v1'), of, 'password')).not.toBe(await seal(keysAt('v1'), of, 'password'));
});

it.each([
  ['another project', { project: 'bob', name: 'crm' }, (text: string) => text],
  ['another name', { project: 'alice', name: 'erp' }, (text: string) => text],
  ['another key version', of, (text: string) => text.replace('.v1.', '.v2.')],
  ['a changed text', of, (text: string) => text.slice(0, -2) + (text.endsWith('AA') ? 'BB' : 'AA')],
  ['a short text', of, () => 's1.v1.AAAAAAAAAAAAAAAA.AAAA'],
])('does not open as %s', async (_, as, change) => {
  const sealed = change(await seal(keysAt('v1'), of, 'password'));
  await expect(unseal(keysAt('v1'), as, sealed)).rejects.toMatchObject({
    name: 'UnsealError',
    message: expect.not.stringContaining('password'),
  });
});

it('says which key is gone, and which format is unknown', async () => {
  const sealed = (await seal(keysAt('v1'), of, 'password')).replace('.v1.', '.v0.');
  await expect(unseal(keysAt('v1'), of, sealed)).rejects.toThrow('key version v0, which is gone');
  await expect(unseal(keysAt('v1'), of, 'password')).rejects.toThrow('unknown format');
});
