import type { SigningSecretView } from '../../core/contracts/http/answers';
import { FIRST_SECRET_VERSION, signingSecret } from '../../core/targets/signing';
import type { ApiDeps, ApiRequest, ApiResponse } from '../request';

/** What deliveries to this user's targets are signed with. */
export async function getSigningSecret({ userId }: ApiRequest, { secret }: ApiDeps): Promise<ApiResponse> {
  const version = FIRST_SECRET_VERSION;
  const body: SigningSecretView = { secret: signingSecret(await secret.get(), userId, version), version };
  return { status: 200, body };
}
