import { type Clock, DAY_MS, SECOND_MS } from '../machine/clock';
import { type Issuer, OWNER, type TokenRequest } from './issuer';
import { OWNER_SCOPE } from './sign-in/sign-in-page';

/** Tokens that a run gives to those who have started it. */
export interface RunTokens {
  /** A token for an hour, by default with the scopes `jobs:read jobs:write`. */
  token(user: string, scope?: string, more?: Pick<TokenRequest, 'groups' | 'claims'>): Promise<string>;
  /** A token for a day, with all scopes of an owner, of the user that `token` of the command line has. */
  ownerToken(): Promise<string>;
}

export const runTokens = (issuer: Issuer, clock: Clock): RunTokens => ({
  token: (user, scope = 'jobs:read jobs:write', more = {}) =>
    issuer.token({ ...more, user, scope, ttlSec: 3600, nowMs: clock.nowMs() }),
  ownerToken: () =>
    issuer.token({ user: OWNER, scope: OWNER_SCOPE, ttlSec: DAY_MS / SECOND_MS, nowMs: clock.nowMs() }),
});
