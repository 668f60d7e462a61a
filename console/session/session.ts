import { signal } from '@preact/signals';

import { loadConfig, type SignInConfig } from './config';
import { returnAddress } from './return-address';
import { SignInNeeded, TokenKeeper, type Tokens } from './tokens';

/** `failed`: the sign-in did not work, for the reason in `message`. */
export type SessionState =
  | { is: 'starting' | 'signed-out' }
  | { is: 'failed'; message: string }
  | { is: 'signed-in'; config: SignInConfig };

export const session = signal<SessionState>({ is: 'starting' });

const KEPT = 'quarterjack.refresh';
const SIGNED_OUT = 'quarterjack.signed-out';
const channel = new BroadcastChannel('quarterjack-tokens');
/** Tabs of this origin publish their tokens, ask for some, or say that a sign-in has ended. */
type Message = Tokens | { asks: 'tokens' } | { ended: string };
const publish = (message: Message): void => channel.postMessage(message);
/** A tab that is there answers within this time. */
const ANSWER_MS = 200;
/** The library of the sign-in is needed once an hour. */
const oauth = () => import('./oauth');

let config: SignInConfig | undefined;
let keeper: TokenKeeper | undefined;
let runCode = '';

/** Begins: with the tokens of a sign-in that just ended, or of this tab before a reload, or without any. */
export async function startSession(): Promise<void> {
  try {
    runCode = takeRunCode();
    config = await loadConfig();
    const query = new URLSearchParams(location.search);
    if (query.has('state') && (query.has('code') || query.has('error'))) return await finish(config, query);
    const kept = keptTokens();
    if (kept) return await resume(config, kept);
    if (sessionStorage.getItem(SIGNED_OUT) !== null) return void (session.value = { is: 'signed-out' });
    // Who opens the link of a run wants to sign in to it.
    const lent = runCode === '' ? await tokensOfAnotherTab() : undefined;
    if (lent) await resume(config, lent);
    else await signIn();
  } catch (thrown) {
    fail(thrown);
  }
}

/** Goes to the sign-in page, and comes back to the address of now. */
export async function signIn(): Promise<void> {
  if (!config) return startSession();
  const callback = `${location.origin}/console/`;
  if (!config.callbackUrls.includes(callback)) {
    const own = config.callbackUrls.find((url) => url.endsWith('/console/'));
    return fail(new Error(`The sign-in page does not know ${callback}. Open ${own ?? 'another address'}.`));
  }
  sessionStorage.removeItem(SIGNED_OUT);
  const here = returnAddress(location.href, location.origin);
  await (await oauth()).goToSignIn(config, here, runCode);
}

/** Forgets the tokens here, and where the issuer can, there too. */
export async function signOut(): Promise<void> {
  const { refreshToken, family } = keeper?.tokens ?? {};
  if (family !== undefined) publish({ ended: family });
  forget();
  if (config && refreshToken !== undefined) await (await oauth()).revoke(config, refreshToken);
  if (config?.logoutEndpoint) {
    const url = new URL(config.logoutEndpoint);
    url.searchParams.set('client_id', config.clientId);
    url.searchParams.set('logout_uri', `${location.origin}/console/`);
    location.assign(url.href);
  } else session.value = { is: 'signed-out' };
}

/** Forgets the tokens of this tab. */
function forget(): void {
  keeper = undefined;
  sessionStorage.removeItem(KEPT);
  sessionStorage.setItem(SIGNED_OUT, 'yes');
}

/** A link in a new tab needs no second sign-in while another tab has one. Undefined: none has. */
const tokensOfAnotherTab = (): Promise<Tokens | undefined> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (!('family' in data)) return;
      clearTimeout(timer);
      resolve(data);
    };
    publish({ asks: 'tokens' });
  });

/** A message of another tab, in a tab that has signed in. */
function hear(message: Message): void {
  if ('family' in message) return keeper?.adopt(message);
  if ('asks' in message) return keeper && publish(keeper.tokens);
  if (message.ended !== keeper?.tokens.family) return;
  forget();
  session.value = { is: 'signed-out' };
}

/** The access token of now. Goes to the sign-in page if there is none. */
export async function accessToken(): Promise<string> {
  return orSignIn(async () => {
    if (!keeper) throw new SignInNeeded('there is no sign-in');
    return keeper.get();
  });
}

/** Another token than the one that the API refused. */
export const renewedToken = async (refused: string): Promise<string> =>
  orSignIn(async () => {
    if (!keeper) throw new SignInNeeded('there is no sign-in');
    return keeper.renew(refused);
  });

async function orSignIn(get: () => Promise<string>): Promise<string> {
  try {
    return await get();
  } catch (thrown) {
    if (thrown instanceof SignInNeeded) await signIn();
    throw thrown;
  }
}

async function finish(known: SignInConfig, query: URLSearchParams): Promise<void> {
  const { returnTo, ...tokens } = await (await oauth()).finishSignIn(known, query);
  history.replaceState(null, '', returnTo);
  open(known, { ...tokens, family: crypto.randomUUID() });
}

async function resume(known: SignInConfig, kept: Tokens): Promise<void> {
  open(known, kept);
  await keeper!.get().catch(async (thrown: unknown) => {
    if (thrown instanceof SignInNeeded) {
      sessionStorage.removeItem(KEPT);
      await signIn();
    }
    throw thrown;
  });
}

function open(known: SignInConfig, tokens: Tokens): void {
  keep(tokens);
  keeper = new TokenKeeper(tokens, {
    nowMs: Date.now,
    refresh: async (token) => (await oauth()).refresh(known, token),
    exclusively: (work) => navigator.locks.request('quarterjack-refresh', work),
    publish,
    keep,
  });
  channel.onmessage = ({ data }: MessageEvent<Message>) => hear(data);
  session.value = { is: 'signed-in', config: known };
}

/** Only the refresh token outlives a reload. */
function keep(tokens: Tokens | undefined): void {
  if (tokens?.refreshToken === undefined) return sessionStorage.removeItem(KEPT);
  const { refreshToken, family } = tokens;
  sessionStorage.setItem(KEPT, JSON.stringify({ refreshToken, family }));
}

function keptTokens(): Tokens | undefined {
  const kept = sessionStorage.getItem(KEPT);
  if (kept === null) return undefined;
  const { refreshToken, family } = JSON.parse(kept) as Pick<Tokens, 'refreshToken' | 'family'>;
  return { accessToken: '', expiresAtMs: 0, refreshToken, family };
}

/** The code of a local run, which its address has behind `#`. It is taken out of the address. */
function takeRunCode(): string {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const code = fragment.get('run_code') ?? '';
  if (code) history.replaceState(null, '', location.pathname + location.search);
  return code;
}

function fail(thrown: unknown): void {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  session.value = { is: 'failed', message };
}
