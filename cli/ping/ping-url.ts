import { CliError, ExitCode } from '../exit-codes';
import { readText } from '../read-definition';

export interface UrlFlags {
  keyFile?: string;
  slug?: string;
  create?: true;
}

/** The variable of the environment with a ping URL. */
export const PING_VARIABLE = 'QUARTERJACK_PING';

const OF_MONITOR = /^\/(?:p\/[\w-]+|s\/[\w-]+\/[\w-]+)$/;
const OF_PROJECT = /^\/s\/[\w-]+$/;
const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** A URL to ping, and what its query says beside the run. */
export interface PingTo {
  url: string;
  query: Readonly<Record<string, string>>;
}

/**
 * The URL to ping, in this order: the argument, the file, the variable. All users of the machine see an
 * argument. The URL of a project needs a slug.
 */
export function pingUrl(
  argument: string | undefined,
  { keyFile, slug, create }: UrlFlags,
  { env, stderr }: { env: Record<string, string | undefined>; stderr: { write(text: string): unknown } },
): PingTo {
  const query: PingTo['query'] = create ? { create: '1' } : {};
  if (argument !== undefined) {
    const better = `use ${PING_VARIABLE} or --key-file`;
    stderr.write(
      `quarterjack: the ping URL is an argument, which all users of this machine can see: ${better}\n`,
    );
    return { url: checked(argument, 'the argument', slug), query };
  }
  if (keyFile !== undefined) return { url: checked(readText(keyFile).trim(), keyFile, slug), query };
  const url = env[PING_VARIABLE];
  if (url !== undefined && url !== '') return { url: checked(url, PING_VARIABLE, slug), query };
  throw new CliError(
    `give the ping URL of the monitor: in ${PING_VARIABLE}, or in a file by --key-file`,
    ExitCode.usage,
  );
}

/** The URL itself is a secret, so that no message shows it. */
function checked(text: string, from: string, slug: string | undefined): string {
  const url = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? new URL(text) : undefined;
  const isOfProject = url !== undefined && OF_PROJECT.test(url.pathname);
  if (slug === undefined && url && OF_MONITOR.test(url.pathname)) return url.origin + url.pathname;
  if (slug !== undefined && isOfProject && SLUG.test(slug)) return `${url.origin}${url.pathname}/${slug}`;
  throw new CliError(faultOf(from, slug, isOfProject), ExitCode.usage);
}

function faultOf(from: string, slug: string | undefined, isOfProject: boolean): string {
  if (slug === undefined)
    return isOfProject
      ? `${from} has the ping URL of a project: name the monitor by --slug`
      : `${from} must be a ping URL, as quarterjack jobs ping prints it`;
  if (!SLUG.test(slug)) return `--slug must be the id of a monitor: lower case letters, digits, "_" or "-"`;
  return `${from} must be the ping URL of a project, as quarterjack ping-key show prints it, to which --slug is added`;
}
