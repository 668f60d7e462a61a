import { isIP } from 'node:net';

import type { Context } from './context';

/** Where a job calls, as definitions and answers hold it. */
interface Called {
  target?: object | null | undefined;
  targets?: readonly object[] | null | undefined;
}

/**
 * Warns of hosts without an address: mostly a typing error, which the first call would show only later. The
 * deployment may know names that this machine does not, so the job is saved in any case.
 */
export async function warnOfUnknownHosts({ io, say }: Context, { target, targets }: Called): Promise<void> {
  const hosts = new Set([target, ...(targets ?? [])].flatMap(hostsOf));
  for (const host of hosts)
    if (!(await io.hasAddress(host)))
      say(`${host} has no address, as seen from here. If the deployment finds none either, its calls fail.`);
}

function hostsOf(target: object | null | undefined): string[] {
  if (!target || !('url' in target) || typeof target.url !== 'string') return [];
  if (!URL.canParse(target.url)) return [];
  const { hostname } = new URL(target.url);
  // An address needs no look-up, and a template is no host yet.
  return isIP(hostname.replaceAll(/[[\]]/g, '')) || /[{}%]/.test(hostname) ? [] : [hostname];
}
