/** Tokens of a sign-in. */
export interface Tokens {
  accessToken: string;
  /** Milliseconds of Unix time. */
  expiresAtMs: number;
  /** Good once where the issuer rotates it. Undefined: the issuer gave none. */
  refreshToken: string | undefined;
  /** Common to all tabs that come from one sign-in: a duplicated tab has a copy of its storage. */
  family: string;
}

export interface TokenDeps {
  nowMs(): number;
  /** Exchanges a refresh token. Throws `SignInNeeded` if the issuer refuses it. */
  refresh(refreshToken: string): Promise<Omit<Tokens, 'family'>>;
  /** Runs one at a time over all tabs of this origin. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Tells the other tabs. */
  publish(tokens: Tokens): void;
  /** Keeps the refresh token for a reload of this tab. */
  keep(tokens: Tokens | undefined): void;
}

/** The issuer no longer accepts this sign-in. */
export class SignInNeeded extends Error {
  override name = 'SignInNeeded';
}

/** A token is renewed this long before it expires. */
const RENEW_BEFORE_MS = 60_000;

/**
 * The tokens of this tab. The access token stays in memory. A refresh token that rotates is good once, so one
 * tab exchanges it at a time, and the others adopt what it got.
 */
export class TokenKeeper {
  private renewing: Promise<string> | undefined;

  constructor(
    private present: Tokens,
    private readonly deps: TokenDeps,
  ) {}

  /** A token that is good for a minute at least. Throws `SignInNeeded`. */
  get(): Promise<string> {
    const { accessToken, expiresAtMs } = this.present;
    const isFresh = accessToken !== '' && expiresAtMs - this.deps.nowMs() > RENEW_BEFORE_MS;
    return isFresh ? Promise.resolve(accessToken) : this.renew(accessToken);
  }

  /** A token other than `refused`. Ten callers share one exchange. Throws `SignInNeeded`. */
  renew(refused: string): Promise<string> {
    if (this.present.accessToken !== refused && this.present.accessToken !== '')
      return Promise.resolve(this.present.accessToken);
    this.renewing ??= this.deps
      .exclusively(() => this.exchange(refused))
      .finally(() => (this.renewing = undefined));
    return this.renewing;
  }

  /** Takes over what another tab of the same sign-in got. */
  adopt(tokens: Tokens): void {
    if (tokens.family !== this.present.family || tokens.expiresAtMs <= this.present.expiresAtMs) return;
    this.present = tokens;
    this.deps.keep(tokens);
  }

  /** Those of now: for another tab, and for the end of the session. */
  get tokens(): Tokens {
    return this.present;
  }

  private async exchange(refused: string): Promise<string> {
    const { accessToken, refreshToken, family } = this.present;
    // Another tab was first, and its tokens arrived while this one waited.
    if (accessToken !== refused && accessToken !== '') return accessToken;
    if (refreshToken === undefined) throw new SignInNeeded('the sign-in has ended');
    const fresh = await this.deps.refresh(refreshToken);
    this.present = { ...fresh, refreshToken: fresh.refreshToken ?? refreshToken, family };
    this.deps.keep(this.present);
    this.deps.publish(this.present);
    return this.present.accessToken;
  }
}
