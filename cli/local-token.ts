import { PermissionError } from '../client';
import type { Context } from './context';
import { CliError, ExitCode, explain } from './exit-codes';
import { isLoopback } from './url';

/** How a run on this machine gives a token with a scope. Undefined for a URL of another machine. */
export function localTokenText(scope: string, url: string): string | undefined {
  if (!URL.canParse(url) || !isLoopback(new URL(url))) return undefined;
  // A token of a local run has every other scope by itself.
  const flag = scope === 'admin' ? ' --scope admin' : '';
  const inCheckout = flag === '' ? 'npm run token' : `npm run token --${flag}`;
  return `for a run on this machine, quarterjack token${flag} prints one (in a checkout: ${inCheckout})`;
}

/** Says how a run on this machine gives the scope that a token lacks. Other errors stay as they are. */
export function withLocalToken(error: unknown, { place }: Pick<Context, 'place'>): unknown {
  if (!(error instanceof PermissionError)) return error;
  const [, scope] = /\btoken lacks the scope (\S+)$/.exec(error.detail) ?? [];
  const cure = scope && localTokenText(scope, place()?.url ?? '');
  return cure ? new CliError(`${explain(error)}; ${cure}`, ExitCode.notAllowed, { cause: error }) : error;
}
