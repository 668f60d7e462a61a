import type { ClientRequest } from 'node:http';

import { checkUrlOfCall } from '../address-policy';
import { forProject, type HttpSettings, unsentRequest } from './http';

/** A request of which nothing has been sent. */
interface Early {
  project: string;
  /** `https://example.com:8443` */
  origin: string;
  request: ClientRequest;
  /** Called if it fails, or if its server closes it or speaks first. */
  forget(): void;
}

/** See `earlyConnections`. */
export interface EarlyConnections {
  /** Begins to connect. Returns what closes the connection, unless a call has taken it. */
  connect(project: string, origin: string): () => void;
  /** Takes a request of the origin of this URL, which may still be connecting. Undefined: there is none. */
  take(project: string, url: URL): ClientRequest | undefined;
}

const EVENTS = ['error', 'close', 'response'];

/**
 * Connections that are made before the calls that use them, while their messages wait for the instant. The
 * target policy decides as at a call, and the socket connects to an address that was checked. A call takes a
 * connection of its own project, and of the very origin that its target has by then. Where there is none any
 * more, it makes its own.
 */
export function earlyConnections(settings: HttpSettings): EarlyConnections {
  const open = new Set<Early>();
  const drop = (early: Early): void => {
    if (open.delete(early)) early.request.destroy();
  };
  return {
    connect(project, origin) {
      const ofProject = forProject(settings, project);
      if (!checkUrlOfCall(origin, ofProject.policy, ofProject.allowedHosts).ok) return () => undefined;
      const request = unsentRequest(new URL(origin), ofProject);
      const early: Early = { project, origin, request, forget: () => drop(early) };
      open.add(early);
      for (const event of EVENTS) request.on(event, early.forget);
      return early.forget;
    },
    take(project, url) {
      const found = [...open].find((one) => one.project === project && one.origin === url.origin);
      if (!found || !open.delete(found)) return undefined;
      for (const event of EVENTS) found.request.off(event, found.forget);
      return found.request;
    },
  };
}
