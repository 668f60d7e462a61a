import * as z from 'zod/mini';

import { isHeaderValue, MAX_HEADERS_BYTES } from '../domain/target-limits';
import { record } from './fields';

const MAX_HEADERS = 100;

/** Headers that frame the message, belong to one connection, or are set by Quarterjack. */
const RESERVED_NAMES = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const RESERVED_PREFIXES = ['proxy-', 'quarterjack-', 'webhook-', 'x-amz-', 'x-amzn-'];

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;

const isReserved = (key: string): boolean =>
  RESERVED_NAMES.has(key) || RESERVED_PREFIXES.some((prefix) => key.startsWith(prefix));

/** Why a text cannot be the name of a job's header; undefined if it can. */
function nameFault(name: string): string | undefined {
  if (!TOKEN.test(name))
    return "is not a header name: must be 1 to 128 letters, digits or characters of !#$%&'*+-.^_`|~";
  return isReserved(name.toLowerCase()) ? 'is set by Quarterjack or by HTTP itself' : undefined;
}

/** The name of one header. */
export const headerName = z.string().check(
  z.superRefine((name, context) => {
    const fault = nameFault(name);
    if (fault) context.addIssue(fault);
  }),
);

/** The headers of a target. */
export const headers = record(z.string(), z.string()).check(
  z.superRefine((given, context) => {
    const reject = (message: string, ...path: string[]) =>
      context.addIssue({ code: 'custom', path, message });
    const entries = Object.entries(given);
    if (entries.length > MAX_HEADERS)
      return reject(`must have at most ${MAX_HEADERS} headers, not ${entries.length}`);
    const seen = new Set<string>();
    let bytes = 0;
    for (const [name, value] of entries) {
      const key = name.toLowerCase();
      bytes += name.length + value.length;
      const fault = nameFault(name);
      if (fault) reject(fault, name);
      else if (seen.has(key)) reject('is given twice: names that differ only in case are equal', name);
      if (!isHeaderValue(value)) reject('must consist of printable ASCII characters', name);
      seen.add(key);
    }
    if (bytes > MAX_HEADERS_BYTES)
      reject(`must have at most ${MAX_HEADERS_BYTES} bytes in all names and values, not ${bytes}`);
  }),
);
