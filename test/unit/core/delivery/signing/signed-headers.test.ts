import { sign, signingSecret } from '../../../../../lambdas/core/delivery/signing/standard-webhooks';
import { signHeaders } from '../../../../../lambdas/core/delivery/signing/signed-headers';
import { signedDeliveries } from '../../../../support/signed-deliveries';

test.each(signedDeliveries)('$name: both signatures are those of another implementation', (delivery) => {
  const { hostSecrets, legacySecrets, body, headers } = delivery;
  expect(hostSecrets.map((secret) => signHeaders(headers, secret)).join(' ')).toBe(
    headers['quarterjack-signature'],
  );
  const signed = { id: headers['webhook-id']!, timestampSec: Number(headers['webhook-timestamp']), body };
  expect([...legacySecrets, ...hostSecrets].map((secret) => sign({ ...signed, secret })).join(' ')).toBe(
    headers['webhook-signature'],
  );
});

test('a signature of headers covers only what is Quarterjack’s, and neither signature', () => {
  const { headers, hostSecrets } = signedDeliveries[0]!;
  const [secret] = hostSecrets as [string];
  const signature = signHeaders(headers, secret);
  for (const other of ['traceparent', 'content-type', 'webhook-signature', 'quarterjack-signature', 'x-a'])
    expect(signHeaders({ ...headers, [other]: 'changed' }, secret)).toBe(signature);
  for (const name of ['webhook-id', 'webhook-timestamp', 'quarterjack-fence', 'quarterjack-new'])
    expect(signHeaders({ ...headers, [name]: 'changed' }, secret)).not.toBe(signature);
});

test('the secrets of projects and hosts stay what they are, because receivers have them', () => {
  const deploymentSecret = Buffer.alloc(32, 5);
  expect([
    signingSecret(deploymentSecret, 'alice', 1),
    signingSecret(deploymentSecret, 'alice', 1, 'example.com'),
    signingSecret(deploymentSecret, 'alice', 2, 'example.com:8443'),
  ]).toEqual([
    'whsec_P1E7Un4ukdBdHiIrnQo93uGzd4ptX5QTFQaeambPsIA=',
    'whsec_kByLcbVeQDIlQgGTJhWSf6Cbj4gqZepl7wqvb05fvPM=',
    'whsec_mVVguvNVAFu66IFAuz5L8vrjB9/UOFDS0x3ZKM1m5vQ=',
  ]);
});
