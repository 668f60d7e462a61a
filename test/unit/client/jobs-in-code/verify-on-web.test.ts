import { SignatureError, verifyDelivery } from '../../../../client';
import { verifyOnWeb } from '../../../../client/jobs-in-code/verify-on-web';
import { signHeaders } from '../../../../lambdas/core/delivery/signing/signed-headers';
import { SIGNED_AT_MS, signedDeliveries } from '../../../support/signed-deliveries';

const ofHosts = signedDeliveries.filter(({ hostSecrets }) => hostSecrets.length > 0);
const bytes = (text: string) => new TextEncoder().encode(text);

test.each(ofHosts)('$name: reads what Node.js reads', async ({ body, headers, hostSecrets: secret }) => {
  const options = { secret, nowMs: SIGNED_AT_MS };
  const { json: _, ...expected } = verifyDelivery(body, headers, options);
  const { json, ...read } = await verifyOnWeb(bytes(body), headers, options);
  expect(read).toEqual(expected);
  expect(json()).toEqual(body === '' ? undefined : JSON.parse(body));
});

const [first] = ofHosts;
const { body, headers, hostSecrets } = first!;
const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test.each<[string, { body?: string; headers?: object; secret?: string[]; nowMs?: number }]>([
  ['another body', { body: `${body} ` }],
  ['another header', { headers: { ...headers, 'quarterjack-fence': '9' } }],
  ['an added header', { headers: { ...headers, 'quarterjack-callback': 'https://evil.test' } }],
  ['another secret', { secret: [other] }],
  ['no signature of headers', { headers: { ...headers, 'quarterjack-signature': '' } }],
  ['a late arrival', { nowMs: SIGNED_AT_MS + 301_000 }],
])('%s is refused, as by Node.js', async (_, { nowMs = SIGNED_AT_MS, ...changed }) => {
  const sent = { body, headers, secret: hostSecrets, ...changed };
  const options = { secret: sent.secret, nowMs };
  const reason = (run: () => unknown) => {
    try {
      return run();
    } catch (error) {
      return error;
    }
  };
  const expected = reason(() => verifyDelivery(sent.body, sent.headers as never, options));
  expect(expected).toBeInstanceOf(SignatureError);
  await expect(verifyOnWeb(bytes(sent.body), sent.headers, options)).rejects.toEqual(expected);
});

test('the body and the headers have to be signed by one secret, not by two', async () => {
  const mixed = { ...headers, 'quarterjack-signature': signHeaders(headers, other) };
  const options = { secret: [...hostSecrets, other], nowMs: SIGNED_AT_MS };
  await expect(verifyOnWeb(bytes(body), mixed, options)).rejects.toThrow('no signature of the quarterjack');
});
