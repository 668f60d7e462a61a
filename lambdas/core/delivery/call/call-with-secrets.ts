import type { HttpTarget } from '../../domain/target';
import type { TargetResult } from '../../domain/target-result';
import type { Delivery } from '../delivery';
import { Redactor } from '../secrets/redactor';
import { renderTarget, SecretFault, usesSecrets } from '../secrets/render-target';
import type { SecretReader } from '../secrets/secret-values';
import type { AccessTokens } from './access-tokens';
import { callHttp, type HttpSettings } from './http';

/** Where the secrets of calls come from. */
export interface CallSecrets {
  read: SecretReader;
  tokens: AccessTokens;
}

/**
 * One HTTP exchange with the secrets that the target names. Nothing of them is in the result. If the target
 * rejects an access token (401), a new one is fetched and the call is made once more. A target without
 * secrets is called as it is.
 */
export async function callWithSecrets(
  target: HttpTarget,
  delivery: Delivery,
  signal: AbortSignal,
  settings: HttpSettings,
  secrets: CallSecrets,
): Promise<TargetResult> {
  if (!usesSecrets(target)) return callHttp(target, delivery, signal, settings);
  try {
    const { target: rendered, grant, hidden } = await renderTarget(target, delivery.project, secrets.read);
    if (!grant) return await callHttp(rendered, delivery, signal, settings, new Redactor(hidden));
    const callWith = (token: string) => {
      const headers = { ...rendered.headers, authorization: `Bearer ${token}` };
      const redactor = new Redactor([...hidden, { name: grant.clientSecret.name, value: token }]);
      return callHttp({ ...rendered, headers }, delivery, signal, settings, redactor);
    };
    const token = await secrets.tokens.get(grant);
    const result = await callWith(token);
    if (result.statusCode !== 401 || signal.aborted) return result;
    return await callWith(await secrets.tokens.get(grant, token));
  } catch (error) {
    if (error instanceof SecretFault) return error.result();
    throw error;
  }
}
