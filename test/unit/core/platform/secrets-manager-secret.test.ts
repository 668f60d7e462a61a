import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { secretsManagerSecret } from '../../../../lambdas/core/platform/secrets-manager-secret';
import { mockedClient } from '../../../support/mocked-client';

describe('the deployment secret', () => {
  const mock = mockedClient(SecretsManagerClient);
  const client = new SecretsManagerClient({ region: 'eu-west-1' });
  const text = 'x'.repeat(64);
  beforeEach(() => mock.reset());

  it('is read once, by callers at the same time too', async () => {
    mock.on(GetSecretValueCommand, { SecretId: 'arn:secret' }).resolves({ SecretString: text });
    const secret = secretsManagerSecret('arn:secret', client);
    const values = await Promise.all([secret.get(), secret.get()]);
    expect([...values, await secret.get()]).toEqual([
      Buffer.from(text),
      Buffer.from(text),
      Buffer.from(text),
    ]);
    expect(mock.commandCalls(GetSecretValueCommand)).toHaveLength(1);
  });

  it('is read again after a failure', async () => {
    mock
      .on(GetSecretValueCommand)
      .rejectsOnce('throttled')
      .resolves({ SecretBinary: Buffer.alloc(32, 3) });
    const secret = secretsManagerSecret('arn:secret', client);
    await expect(secret.get()).rejects.toThrow('throttled');
    expect(await secret.get()).toEqual(Buffer.alloc(32, 3));
  });

  it('is refused where it is too short to be one, without being shown', async () => {
    mock.on(GetSecretValueCommand).resolves({ SecretString: 'hunter2' });
    await expect(secretsManagerSecret('arn:secret', client).get()).rejects.toThrow(
      'secret arn:secret has 7 bytes; expected at least 32',
    );
    mock.on(GetSecretValueCommand).resolves({});
    await expect(secretsManagerSecret('arn:secret', client).get()).rejects.toThrow('has 0 bytes');
  });
});
