import type { Quarterjack } from '../../client';
import { CliError } from '../exit-codes';
import { isObject } from '../is-object';

/**
 * Throws a `CliError` if a definition has a target whose host no job of the project has yet. A text that an
 * agent read could otherwise send the project's payloads anywhere.
 */
export async function checkHosts(
  definition: unknown,
  { client, allowed }: { client: Quarterjack; allowed: readonly string[] },
): Promise<void> {
  for (const host of new Set(hostsIn(definition))) {
    if (allowed.includes(host)) continue;
    if (!(await isKnown(host, client)))
      throw new CliError(
        `no job of the project has a target at the host ${JSON.stringify(host)}: a person has to start this server with --allow-host for it`,
      );
  }
}

/** The filter of the API knows names of hosts alone, so the port is compared here. */
async function isKnown(host: string, client: Quarterjack): Promise<boolean> {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
  for await (const { targets } of client.jobs.summaries({ target: name }))
    if (targets.some(({ type, address }) => type === 'http' && hostOf(address) === host)) return true;
  return false;
}

/** The hosts of all URLs, wherever they are in a definition. What is no URL counts as a host. */
function hostsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(hostsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    /url$/i.test(name) && typeof one === 'string' ? [hostOf(one)] : hostsIn(one),
  );
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
