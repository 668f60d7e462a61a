import { hostOf, isHostOf } from '../address-policy';

/** Whether something that goes to these hosts only may go to a URL. */
export const mayGoTo = (url: URL, hosts: readonly string[]): boolean =>
  hosts.some((pattern) => isHostOf(pattern, hostOf(url)));

/** The one host of a secret that may be a whole URL; undefined if it names several, or a pattern. */
export const onlyHostOf = ({ hosts }: { hosts: readonly string[] }): string | undefined =>
  hosts.length === 1 && !hosts[0]!.startsWith('*.') ? hosts[0] : undefined;

/** The URL at the root of a host, for checks of the host alone. */
export const rootUrlOf = (host: string): string => `https://${host.includes(':') ? `[${host}]` : host}/`;
