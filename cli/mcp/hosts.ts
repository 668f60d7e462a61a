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
    const [known] = await client.jobs.summaries({ target: host, limit: 1 }).toArray(1);
    if (known === undefined)
      throw new CliError(
        `no job of the project has a target at the host ${JSON.stringify(host)}: a person has to start this server with --allow-host for it`,
      );
  }
}

/** The hosts of all URLs, wherever they are in a definition. What is no URL counts as a host. */
function hostsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(hostsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === 'url' && typeof one === 'string' ? [hostOf(one)] : hostsIn(one),
  );
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);
