import { withTimeout } from '../core/async/with-timeout';
import { type Clock, SECOND_MS } from '../core/clock/clock';
import { checkUrl } from '../core/delivery/address-policy';
import { exchange, type HttpSettings } from '../core/delivery/call/http';
import { retryAfterMsOf } from '../core/delivery/call/retry-after';
import type { CollectorAnswer } from './export-spans';

const PATH = '/v1/traces';
/** Five messages of a batch, each as slow as this, end before the function does. */
const ANSWER_WITHIN_MS = 5 * SECOND_MS;
const MAX_ANSWER_BYTES = 65_536;
const READ = { enough: 0, wanted: MAX_ANSWER_BYTES };

/**
 * A client of a collector, by OTLP/HTTP with JSON. Its URL and addresses are checked like those of a target:
 * the function is no way into a network. It follows no redirect.
 */
export function collector(
  endpoint: string,
  headersOf: () => Promise<Record<string, string>>,
  settings: HttpSettings,
  clock: Clock,
): (body: Buffer) => Promise<CollectorAnswer> {
  const url = endpoint + PATH;
  return async (body) => {
    const check = checkUrl(url, settings.policy, settings.allowedHosts);
    if (!check.ok) throw new Error(`otlp.endpoint ${check.message}`);
    const headers = {
      ...(await headersOf()),
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'user-agent': 'Quarterjack/1',
    };
    const target = { type: 'http', url, method: 'POST', headers, timeout: '5s' } as const;
    const response = await withTimeout(
      ANSWER_WITHIN_MS,
      (signal) => exchange(target, { body, headers: {} }, signal, settings, () => READ),
      clock,
      { error: () => new Error('no answer within 5 s') },
    );
    return {
      status: response.status,
      body: response.body.subarray(0, MAX_ANSWER_BYTES).toString('utf8'),
      retryAfterMs: retryAfterMsOf(response.headers['retry-after'], clock.nowMs()),
    };
  };
}
