interface ServiceAnswer {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
}

/**
 * The error that an answer of a service tells, as a client of the SDK would throw it. Each protocol has a
 * place of its own for the code.
 */
export function errorIn({ statusCode, headers, text }: ServiceAnswer): Error {
  const json = jsonIn(text);
  const header = [headers['x-amzn-query-error'] ?? headers['x-amzn-errortype'] ?? ''].flat()[0] ?? '';
  const name = codeOf(header) || codeOf(json?.__type ?? json?.code) || textIn(text, 'Code') || 'ServiceError';
  const message =
    textOr(json?.message ?? json?.Message) || textIn(text, 'Message') || `answered ${statusCode}`;
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: statusCode } });
}

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '');

type ErrorBody = Partial<Record<'__type' | 'code' | 'message' | 'Message', unknown>>;

function jsonIn(text: string): ErrorBody | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ErrorBody) : undefined;
  } catch {
    return undefined; // services with the query protocol answer in XML
  }
}

/** `com.amazonaws.x#Name:http://…` and `Name;Sender` are `Name`. */
const codeOf = (code: unknown): string =>
  typeof code === 'string' ? (/(?:^|#)([\w.]+)(?:[:;,].*)?$/.exec(code.trim())?.[1] ?? '') : '';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element of that name. */
const textIn = (xml: string, element: string): string =>
  (new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1] ?? '').replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: string) => ENTITIES[name]!,
  );
