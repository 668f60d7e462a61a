/** What a stranger gets. */
export interface PingResponse {
  status: number;
  text: string;
  headers?: Record<string, string>;
}

/** For a key that is unknown, wrong, or not for this. */
export const NOT_FOUND: PingResponse = { status: 404, text: 'not found\n' };

export const bad = (text: string): PingResponse => ({ status: 400, text: `${text}\n` });

export const tooMany = (text: string, waitSec: number): PingResponse => ({
  status: 429,
  text: `${text}\n`,
  headers: { 'retry-after': String(waitSec) },
});

/** @param what as in `a ping is` */
export const methodNotAllowed = (what: string, methods: readonly string[]): PingResponse => {
  const allow = methods.join(', ');
  return { status: 405, text: `${what} ${allow}\n`, headers: { allow } };
};
