import { signingHostOf } from '../../../../lambdas/core/domain/signing-host';
import { connectionTo } from '../../../../local/run/what-to-paste';

test.each(['http://localhost:3000/hook', 'http://app.test/', 'https://app.test/', 'https://app.test:8443/a'])(
  'the secret for %s is that of the host which signs its deliveries',
  async (to) => {
    const asked: string[] = [];
    jest.spyOn(globalThis, 'fetch').mockImplementation((url) => {
      asked.push(url as string);
      return Promise.resolve(Response.json({ secret: 'whsec_a' }));
    });
    const run = { url: 'http://127.0.0.1:8787', consoleUrl: undefined };
    expect(await connectionTo(run, 'token', to)).toMatchObject({ secret: 'whsec_a' });
    expect(asked.map((url) => new URL(url).searchParams.get('host'))).toEqual([signingHostOf(to)]);
  },
);
