import { createHash, randomBytes } from 'node:crypto';

import type { Page } from 'playwright-core';

import { settled } from './browser';

export interface SignInOptions {
  user?: string;
  /** Below `/console`. */
  path?: string;
  /** Scopes beyond those that the console asks for, and scopes to leave out. */
  scopes?: string[];
  without?: string[];
}

interface Config {
  clientId: string;
  scopes: string[];
}

/** A refresh token of the local sign-in, by its requests alone. */
async function refreshToken(
  { url, signInCode }: { url: string; signInCode: string },
  { user = 'alice', scopes = [], without = [] }: SignInOptions,
): Promise<string> {
  const config = (await (await fetch(`${url}/console/config.json`)).json()) as Config;
  const verifier = randomBytes(32).toString('base64url');
  const request = {
    client_id: config.clientId,
    redirect_uri: `${url}/console/`,
    response_type: 'code',
    scope: config.scopes.join(' '),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const form = new URLSearchParams({ user, code: signInCode });
  for (const scope of [...config.scopes, ...scopes])
    if (!without.includes(scope)) form.append('scope', scope);
  const page = `${url}/_local/sign-in?${new URLSearchParams(request).toString()}`;
  const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  const code = new URL(answer.headers.get('location')!).searchParams.get('code')!;
  const exchange = {
    grant_type: 'authorization_code',
    client_id: config.clientId,
    redirect_uri: request.redirect_uri,
    code,
    code_verifier: verifier,
  };
  const tokens = await fetch(`${url}/_local/token`, { method: 'POST', body: new URLSearchParams(exchange) });
  return ((await tokens.json()) as { refresh_token: string }).refresh_token;
}

/**
 * Opens the console as after a reload of a tab that has signed in: with a session that its storage keeps.
 * That spares the browser the sign-in page and two starts of the console.
 */
export async function enter(
  page: Page,
  system: { url: string; signInCode: string },
  options: SignInOptions = {},
): Promise<void> {
  const kept = JSON.stringify({ refreshToken: await refreshToken(system, options), family: 'of a test' });
  // A reload has a newer token.
  await page.addInitScript({
    content: `if (sessionStorage.getItem('quarterjack.refresh') === null)
      sessionStorage.setItem('quarterjack.refresh', ${JSON.stringify(kept)});`,
  });
  await page.goto(`${system.url}/console${options.path ?? '/'}`);
  await page.locator('[data-part=navigation]').waitFor();
  await settled(page);
}
