import type { FunctionSpec, LocalStack } from '../template/stack';
import { LocalRunError } from './errors';

/** Variable of the functions that check or call targets: which addresses these may have. */
const TARGET_POLICY = 'TARGET_POLICY';
/** Variable of the executors: the URL below which targets with mode `async` report. */
const CALLBACK_URL = 'CALLBACK_URL';

/** What targets outside this machine need. */
export interface TargetsBeside {
  /** Hosts, by name or IPv4 address, that targets may have by http and https. */
  privateHosts?: readonly string[];
  /** Base URL of the API as these hosts reach it. Absent: the URL of the run. */
  apiUrl?: string | undefined;
}

const PRIVATE_HOST = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/;

/** Parses a host in upper or lower case. Throws a `LocalRunError` for any other text. */
export function parsePrivateHost(text: string): string {
  const host = text.toLowerCase();
  if (host.length > 253 || !PRIVATE_HOST.test(host))
    throw new LocalRunError(
      `--private-host is ${JSON.stringify(text)}; expected a name or an IPv4 address without scheme and port, such as app`,
    );
  return host;
}

/** Parses a URL without a path: `http://quarterjack:8787`. Throws a `LocalRunError` for another text. */
export function parseApiUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || !/^https?:\/\/[^/?#@]+\/?$/.test(text))
    throw new LocalRunError(
      `--api-url is ${JSON.stringify(text)}; expected a URL without a path, such as http://quarterjack:8787`,
    );
  return url.origin;
}

/**
 * The stack with functions that let targets be on private hosts. Throws a `LocalRunError` if the target
 * policy of the stack is that of a deployed one.
 */
export function allowTargetsBeside(
  stack: LocalStack,
  runUrl: string,
  { privateHosts = [], apiUrl }: TargetsBeside,
): LocalStack {
  const allowing = (one: FunctionSpec): FunctionSpec => {
    const { [TARGET_POLICY]: policy, [CALLBACK_URL]: callback } = one.environment;
    if (policy === 'public' && privateHosts.length > 0)
      throw new LocalRunError(
        `--private-host has no effect: the target policy of the stack is "public", as in AWS`,
      );
    const changed = {
      ...(policy !== undefined && { [TARGET_POLICY]: [policy, ...privateHosts].join(',') }),
      ...(callback !== undefined &&
        apiUrl !== undefined && { [CALLBACK_URL]: callback.replace(runUrl, apiUrl) }),
    };
    return { ...one, environment: { ...one.environment, ...changed } };
  };
  return { ...stack, functions: stack.functions.map(allowing) };
}
