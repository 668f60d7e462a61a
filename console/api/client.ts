import { signal } from '@preact/signals';

import { AuthenticationError, Quarterjack } from '../../client/browser';
import { accessToken, renewedToken } from '../session/session';

/** The project that is worked in. Undefined: the only one of the token. */
export const project = signal<string | undefined>(undefined);

/** A page asks again by itself, so few tries are enough. */
const RETRY = { maxTries: 3, maxDelayMs: 10_000, timeoutMs: 20_000 };

let used = '';
const token = async (): Promise<string> => (used = await accessToken());

const clients = new Map<string | undefined, Quarterjack>();
function client(): Quarterjack {
  const name = project.value;
  let known = clients.get(name);
  if (!known) {
    known = new Quarterjack({ url: location.origin, token, project: name, retry: RETRY });
    clients.set(name, known);
  }
  return known;
}

/** A call of the API. After a 401 it renews the token, and calls once more. */
export async function call<T>(use: (api: Quarterjack) => Promise<T>): Promise<T> {
  try {
    return await use(client());
  } catch (thrown) {
    if (!(thrown instanceof AuthenticationError)) throw thrown;
    await renewedToken(used);
    return use(client());
  }
}
