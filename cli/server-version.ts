import { type ApiVersion, NotFoundError, Quarterjack } from '../client';
import type { Context } from './context';
import { CliError, ExitCode } from './exit-codes';
import { version } from './version';

/** The version of the API that this command line speaks. */
const API = 'v1';

/** What a server says of its version; null: it has no route for it. */
export async function askVersion(client: Quarterjack): Promise<ApiVersion | null> {
  try {
    return await client.version();
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Why this command line and the server do not fit. Undefined if they do. */
export function misfitOf(server: ApiVersion | null, own = version()): string | undefined {
  if (server === null)
    return `the server has no GET /v1/version: it is older than this command line (${own}), or it is no Quarterjack API`;
  if (server.api === API && seriesOf(server.version) === seriesOf(own)) return undefined;
  return (
    `the server has version ${server.version} (API ${server.api}), and this command line ${own} (API ${API}): ` +
    `install a command line of version ${seriesOf(server.version)}`
  );
}

/** What fits together has the same first number; before 1.0, the same first two. */
const seriesOf = (text: string): string => /^0\.\d+|^\d+/.exec(text)?.[0] ?? '';

/** API Gateway has no such route: says so, if the version of the server is the reason. */
export async function withVersions(error: unknown, context: Pick<Context, 'place'>): Promise<unknown> {
  if (!(error instanceof NotFoundError) || error.type !== NO_TYPE) return error;
  const place = context.place();
  const server = place && (await askVersion(new Quarterjack(place)).catch(() => undefined));
  const misfit = server === undefined ? undefined : misfitOf(server);
  if (misfit === undefined) return error;
  return new CliError(`${error.message}; ${misfit}`, ExitCode.notFound, { cause: error });
}

/** The answer is not one of the API’s own problems. */
const NO_TYPE = 'about:blank';
