import { LocalRunError } from './errors';

/** What a program beside a run needs to know of it. */
export interface Connection {
  url: string;
  consoleUrl: string | null;
  /** A token with all scopes of an owner, for a day. */
  token: string;
  /** What signs the deliveries to the host of the target; without one, to port 443 of this machine. */
  secret: string;
  /** The target of jobs that call the program; null: none was named. */
  target: { type: 'http'; url: string } | null;
}

const HERE = '127.0.0.1';

/** Parses `--to`. Throws a `LocalRunError` for what is no http or https URL. */
export function parseTo(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new LocalRunError(
      `--to is ${JSON.stringify(text)}; expected a URL with http or https, such as http://localhost:3000`,
    );
  return url.href;
}

/** A secret belongs to a host with its port, unless that is the one of https. */
const signingHostOf = ({ protocol, hostname, port }: URL): string =>
  protocol === 'http:' || port !== '' ? `${hostname}:${port || '80'}` : hostname;

/** Asks the API of the run for the secret, with a token that may read it. */
export async function connectionTo(
  run: { url: string; consoleUrl: string | undefined },
  token: string,
  to: string | undefined,
): Promise<Connection> {
  const host = to === undefined ? HERE : signingHostOf(new URL(to));
  const response = await fetch(`${run.url}/v1/signing-secret?host=${encodeURIComponent(host)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok)
    throw new LocalRunError(
      `the API refuses the signing secret: ${response.status} ${await response.text()}`,
    );
  const { secret } = (await response.json()) as { secret: string };
  const target = to === undefined ? null : ({ type: 'http', url: to } as const);
  return { url: run.url, consoleUrl: run.consoleUrl ?? null, token, secret, target };
}

/** The lines for the terminal of the program, and a job that calls it. */
export const pasteText = ({ url, token, secret, target }: Connection): string => `
Paste this where ${target?.url} is started:

  export QUARTERJACK_URL=${url}
  export QUARTERJACK_TOKEN=${token}
  export QUARTERJACK_SECRET=${secret}

And this, for a job that calls it in ten seconds:

  curl -sS ${url}/v1/jobs -H "Authorization: Bearer $QUARTERJACK_TOKEN" -H 'Content-Type: application/json' \\
    -d '${JSON.stringify({ schedule: { type: 'delay', delay: '10s' }, target })}'
`;
