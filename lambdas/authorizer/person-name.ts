import { type Clock, DAY_MS, MINUTE_MS } from '../core/clock/clock';
import type { CallerKind } from '../core/contracts/roles';

type Claims = Readonly<Record<string, unknown>>;

interface PersonNameDeps {
  /**
   * What the issuer's userinfo endpoint says about the token's subject; undefined if the issuer has none.
   */
  userInfo(token: string): Promise<Claims | undefined>;
  clock: Pick<Clock, 'nowMs'>;
}

export interface NameRequest {
  token: string;
  claims: Claims;
  sub: string;
  kind: CallerKind;
}

/** The issuer is asked once a day for each subject, and again some minutes after it did not answer. */
const KNOWN_MS = DAY_MS;
const FAILED_MS = 10 * MINUTE_MS;
const MAX_KNOWN = 10_000;
const MAX_CHARACTERS = 256;

/**
 * A name for people: a verified email address, from the token or from the issuer's userinfo endpoint; else
 * `username` or `client_id`. Null if the endpoint fails or nothing tells a name. Never rejects: a name is no
 * reason to refuse a token.
 */
export function personName({ userInfo, clock }: PersonNameDeps) {
  const known = new Map<string, { name: Promise<string | null | undefined>; untilMs: number }>();

  /** Undefined if the issuer knows no name. */
  const ask = ({ token, sub }: NameRequest): Promise<string | null | undefined> => {
    const nowMs = clock.nowMs();
    const found = known.get(sub);
    if (found && nowMs < found.untilMs) return found.name;
    if (known.size >= MAX_KNOWN) known.clear();
    const entry = {
      untilMs: nowMs + KNOWN_MS,
      name: userInfo(token).then(
        (answer) => (answer?.sub === sub ? nameOfUser(answer) : undefined),
        () => {
          entry.untilMs = nowMs + FAILED_MS;
          return null;
        },
      ),
    };
    known.set(sub, entry);
    return entry.name;
  };

  return async (request: NameRequest): Promise<string | null> => {
    const { claims, kind, sub } = request;
    const email = verifiedEmail(claims);
    if (email !== undefined) return email;
    const isAsked = kind === 'person' && sub !== '' && hasOpenId(claims);
    const answered = isAsked ? await ask(request) : undefined;
    return answered === undefined ? (textIn(claims.username) ?? textIn(claims.client_id) ?? null) : answered;
  };
}

/** Only such a token may ask the userinfo endpoint. */
const hasOpenId = ({ scope }: Claims): boolean =>
  typeof scope === 'string' && scope.split(' ').includes('openid');

const nameOfUser = (user: Claims): string | undefined =>
  verifiedEmail(user) ?? textIn(user.preferred_username) ?? textIn(user.name);

/** Cognito writes the truth value as text. */
const verifiedEmail = ({ email, email_verified: verified }: Claims): string | undefined =>
  verified === true || verified === 'true' ? textIn(email) : undefined;

const textIn = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim !== '' && !/\p{Surrogate}/u.test(claim)
    ? [...claim].slice(0, MAX_CHARACTERS).join('')
    : undefined;
