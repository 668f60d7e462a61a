import { agrees, canAsk } from '../commands/ask';
import type { Context } from '../context';
import { CliError, ExitCode } from '../exit-codes';
import { authorize, type Tokens } from './authorize';
import { signInEndpoints } from './endpoints';

/**
 * Signs in with a browser, and says whose token goes where. The user confirms a pair of API and issuer once.
 * `browser: false` prints the URL of the sign-in page, and also takes the URL at which a browser elsewhere
 * ends.
 */
export async function signInWithBrowser(
  url: string,
  { browser }: { browser: boolean },
  context: Context,
): Promise<Tokens> {
  const { io, say } = context;
  const endpoints = await signInEndpoints(url, io);
  say(`Token of ${endpoints.issuer} for ${url}`);
  if (
    !isKnownPair(url, endpoints.issuer, context) &&
    canAsk(io) &&
    !(await agrees(io, 'Sign in with this issuer for this API?'))
  )
    throw new CliError('nothing was saved', ExitCode.failed);
  let isPasting = !browser;
  const tokens = await authorize(endpoints, io, {
    async open(page) {
      const isOpen = browser && (await io.openBrowser(page));
      isPasting = !isOpen;
      say(isOpen ? `Sign in with the browser. If it did not open: ${page}` : `Open in a browser: ${page}`);
    },
    pasted: (signal) =>
      isPasting && io.stdin.isTTY === true
        ? io.ask('Then wait here, or paste the URL at which the browser ends: ', signal)
        : new Promise(() => undefined),
  });
  say('');
  return tokens;
}

/** Whether a profile has a sign-in of this issuer for this API already. */
const isKnownPair = (url: string, issuer: string, { profiles }: Context): boolean =>
  profiles.names().some((name) => {
    const profile = profiles.get(name);
    return profile?.renewal?.issuer === issuer && new URL(profile.url).origin === new URL(url).origin;
  });
