/** Bytes of a payload as JSON in UTF-8, before and after its templates are rendered. */
export const MAX_PAYLOAD_BYTES = 65_536;
/** Bytes of all names and values of a target's headers, before and after. */
export const MAX_HEADERS_BYTES = 8_192;

const PRINTABLE = /^[\t\u0020-\u007e]*$/;

/** Whether a text can be the value of a header: printable ASCII and tabs. */
export const isHeaderValue = (text: string): boolean => PRINTABLE.test(text);

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
export function faultOfHeaderName(name: string): string | undefined {
  if (!TOKEN.test(name))
    return "is not a header name: must be 1 to 128 letters, digits or characters of !#$%&'*+-.^_`|~";
  return isReserved(name.toLowerCase()) ? 'is set by Quarterjack or by HTTP itself' : undefined;
}
