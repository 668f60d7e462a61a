import { SIGNING_SERVICES } from '../../contracts/target-resources';
import { parseUrl } from '../../domain/parse-url';
import type { AwsSignature, HttpTarget } from '../../domain/target';
import { hostOf } from '../address-policy';
import { type AwsPolicy, signedCallsFor } from '../aws-policy';
import type { Delivery } from '../delivery';
import type { HiddenValue } from '../secrets/needles';
import { SecretFault } from '../secrets/render-target';
import type { AssumedRole, BoundRoleFor } from './assumed-roles';

/** The role whose credentials sign for a host. Throws `SecretFault` if none may. */
export type SignerFor = (project: string, auth: AwsSignature, host: string) => AssumedRole;

/**
 * Under the project's role, else the deployment's role for actions: either way for what the project may call
 * of the service, and nothing else. The executor's own role never signs.
 */
export const signerFor =
  (aws: Pick<AwsPolicy, 'signed'>, boundRoleFor: BoundRoleFor): SignerFor =>
  (project, auth, host) => {
    const signing = signedCallsFor(auth, host, aws, project);
    if ('fault' in signing) throw new SecretFault('blocked-target', `target.auth ${signing.fault}`);
    const resources = [...new Set(signing.calls.flatMap((call) => call.resources))];
    const role = boundRoleFor(project, [{ actions: SIGNING_SERVICES[auth.service].actions, resources }]);
    if (role) return role;
    throw new SecretFault('blocked-target', 'the deployment has no role that signs');
  };

interface Signed {
  target: HttpTarget;
  /** What a target must not repeat to the history. */
  hidden: HiddenValue[];
}

/** The target with a signature in its headers. The host is checked before there is one. */
export async function signedTarget(
  target: HttpTarget,
  auth: AwsSignature,
  delivery: Delivery,
  { signer, nowMs }: { signer: SignerFor | undefined; nowMs: number },
): Promise<Signed> {
  const url = parseUrl(target.url);
  if (!url) throw new SecretFault('bad-input', 'target.url is no URL');
  if (!signer) throw new SecretFault('blocked-target', 'the deployment has no role that signs');
  const role = signer(delivery.project, auth, hostOf(url));
  const credentials = await credentialsOf(role);
  const { signRequest } = await import('./sign-request.ts'); // most executors sign nothing
  const signed = await signRequest(target, delivery, { ...auth, credentials, nowMs });
  const shown = [signed.headers.authorization ?? '', credentials.sessionToken];
  return { target: signed, hidden: shown.map((value) => ({ name: 'aws', value })) };
}

async function credentialsOf(role: AssumedRole) {
  try {
    return await role.credentials();
  } catch (error) {
    throw new SecretFault('retriable', (error as Error).message);
  }
}
