import { authorize, type AuthorizeDeps } from '../../../lambdas/authorizer/authorize';

const KEY = `qj_${'a'.repeat(16)}_${'b'.repeat(49)}`;
const seen: string[] = [];
const deps = {
  verifyKey: async (key: string) => {
    seen.push(key);
    return { problem: 'an unknown key' };
  },
} as unknown as AuthorizeDeps;

const keysSeen = async (header: string): Promise<string[]> => {
  seen.length = 0;
  await authorize({ identitySource: [header] }, deps).catch(() => undefined); // a token needs an issuer
  return [...seen];
};

test.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER  ${KEY}`])('%j has credentials', async (header) => {
  expect(await keysSeen(header)).toEqual([KEY]);
});

test.each([KEY, `Basic ${KEY}`, `Bearer${KEY}`, `Bearer ${KEY} x`, `Token ${KEY}`])(
  '%j has none: the scheme has to be Bearer',
  async (header) => {
    expect(await keysSeen(header)).toEqual([]);
  },
);
