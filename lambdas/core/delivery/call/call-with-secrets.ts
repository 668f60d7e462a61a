import type { HttpTarget } from '../../domain/target';
import { abortedCall, type TargetResult } from '../../domain/target-result';
import type { Delivery } from '../delivery';
import { Redactor } from '../secrets/redactor';
import { renderTarget, SecretFault, usesSecrets } from '../secrets/render-target';
import type { SecretReader } from '../secrets/secret-values';
import type { AccessTokens } from './access-tokens';
import { signedTarget, type SignerFor } from './signed-target';
import { callHttp, type HttpSettings } from './http';
import type { TlsAgents } from './tls-agents';

/** Where the secrets of calls come from. */
export interface CallSecrets {
  read: SecretReader;
  tokens: AccessTokens;
  agents: TlsAgents;
  /** The credentials for a signature to a host. Throws `SecretFault`. Absent: nothing is signed. */
  signer?: SignerFor;
}

/** The last change of an exchange that needs the values of its secrets. */
type Shape = (target: HttpTarget, delivery: Delivery) => { target: HttpTarget; delivery: Delivery };

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
  shape: Shape = (called, sent) => ({ target: called, delivery: sent }),
): Promise<TargetResult> {
  if (!usesSecrets(target)) return callHttp(target, delivery, signal, settings);
  try {
    const {
      target: rendered,
      tls,
      grant,
      hidden,
    } = await renderTarget(target, delivery.project, secrets.read);
    const said = saidBy(target, delivery);
    const shaped = shape(rendered, delivery);
    const by = tls ? { ...settings, agent: secrets.agents(tls) } : settings;
    if (target.auth?.type === 'aws') {
      const signed = await signedTarget(rendered, target.auth, delivery, {
        signer: secrets.signer,
        nowMs: settings.nowMs(),
      });
      const redactor = new Redactor([...hidden, ...signed.hidden], said);
      return await callHttp(signed.target, delivery, signal, by, redactor);
    }
    if (!grant) return await callHttp(shaped.target, shaped.delivery, signal, by, new Redactor(hidden, said));
    const callWith = (token: string) => {
      const headers = { ...rendered.headers, authorization: `Bearer ${token}` };
      const redactor = new Redactor([...hidden, { name: grant.clientSecret.name, value: token }], said);
      return callHttp({ ...rendered, headers }, delivery, signal, by, redactor);
    };
    const tokenOf = (rejected?: string) => unlessAborted(secrets.tokens.get(grant, rejected), signal);
    const token = await tokenOf();
    if (token === ABORTED) return abortedCall(TOKEN_PHASE);
    const result = await callWith(token);
    if (result.statusCode !== 401 || signal.aborted) return result;
    const another = await tokenOf(token);
    return another === ABORTED ? abortedCall(TOKEN_PHASE) : await callWith(another);
  } catch (error) {
    if (error instanceof SecretFault) return error.result();
    throw error;
  }
}

const TOKEN_PHASE = 'access token';
const ABORTED = Symbol('aborted');

/** Other calls may share the work, so it goes on after an abort. */
const unlessAborted = <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | typeof ABORTED> =>
  new Promise((resolve, reject) => {
    const abort = () => resolve(ABORTED);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

const URL_OF_HOST = /^https?:\/\/[^/?#]*/i;
const OWN_HEADERS = 'quarterjack-';

/**
 * The texts of a call that its job has chosen, and the token of its attempt. A host is none of them: secrets
 * go to few.
 */
const saidBy = ({ url, headers }: HttpTarget, delivery: Delivery): string[] => [
  url.replace(URL_OF_HOST, ''),
  ...Object.entries(delivery.headers).flatMap(([name, value]) =>
    name.startsWith(OWN_HEADERS) ? [value] : [],
  ),
  ...Object.entries(headers).flat(),
  delivery.body.toString('utf8'),
];
