import https from 'node:https';
import { createSecureContext } from 'node:tls';

import { SecretFault, type TlsSecrets } from '../secrets/render-target';
import { TRYING } from './address-attempts';

/** A process makes handshakes of few projects. */
const MAX_AGENTS = 50;

interface Known {
  versions: string;
  agent: https.Agent;
}

/** The agent of a call with secrets of its own for the handshake. Throws `SecretFault`. */
export type TlsAgents = (secrets: TlsSecrets) => https.Agent;

/**
 * One agent for each project and names of secrets. It keeps the key, the trusted certificates and the
 * sessions of its handshakes, so a secret that is replaced, or sealed anew, gets another one. No call that is
 * under way is cut.
 */
export function tlsAgents(): TlsAgents {
  const known = new Map<string, Known>();
  return ({ project, certificate, key, ca }) => {
    const used = [certificate, key, ca];
    const names = JSON.stringify([project, ...used.map((secret) => secret?.name ?? null)]);
    const versions = JSON.stringify(used.map((secret) => [secret?.version, secret?.keyVersion]));
    const before = known.get(names);
    known.delete(names); // the first of a map is the one that was used the longest time ago
    const now =
      before?.versions === versions ? before : { versions, agent: agentOf({ certificate, key, ca }) };
    if (known.size >= MAX_AGENTS) known.delete(known.keys().next().value!);
    known.set(names, now);
    return now.agent;
  };
}

/** With `ca`, no other certificate is trusted. */
function agentOf({ certificate, key, ca }: Omit<TlsSecrets, 'project'>): https.Agent {
  try {
    const secureContext = createSecureContext({ cert: certificate?.value, key: key?.value, ca: ca?.value });
    return new https.Agent({ ...TRYING, secureContext });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SecretFault(
      'bad-input',
      `the secrets of target.tls do not fit each other: ${code ?? 'unknown'}`,
    );
  }
}
