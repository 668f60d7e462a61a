import * as fc from 'fast-check';

import type { ApiContract, Operation } from '../api-contract';
import { fitting, type Hints } from './schema-arbitrary';
import { mutated, spoilt } from './mutations';

export interface FuzzedRequest {
  routeKey: string;
  /** Ids still as positions among those that there are: `execs` grow while the test runs. */
  path: Record<string, PathValue>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  body?: string;
}
/** `known`: the nth of the ids that exist. */
export type PathValue = { known: number } | { text: string };

/** A zone of days around now, so that most schedules have a future. */
const aDayAround = (nowMs: number) =>
  fc.integer({ min: nowMs - 3_600_000, max: nowMs + 86_400_000 }).map((ms) => new Date(ms).toISOString());
const inTheFuture = (nowMs: number) =>
  fc.integer({ min: nowMs + 60_000, max: nowMs + 86_400_000 }).map((ms) => new Date(ms).toISOString());

export const JOB_IDS = ['fuzz-0', 'fuzz-1', 'fuzz-2'];

/** Nearly always one that the API takes. */
const mostly = <Value>(right: Value[], wrong: Value[]) =>
  fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );

/** What the schemas leave to the words. */
export const hintsAt = (nowMs: number): Hints => ({
  jobId: fc.constantFrom(...JOB_IDS),
  expression: mostly(
    ['30 9 * * MON-FRI', '*/5 * * * *', '0 0 1 1 *', '0 0 L * *', '@daily'],
    ['0 0 30 2 *', '61 * * * *'],
  ),
  every: mostly(['1m', '1h', 'PT90S', 'P1M'], ['0s', '1y']),
  delay: mostly(['1s', '1h', '7d'], ['100000d']),
  at: inTheFuture(nowMs),
  anchor: aDayAround(nowMs),
  startAt: aDayAround(nowMs),
  endAt: fc.constant(new Date(nowMs + 10 * 365 * 86_400_000).toISOString()),
  from: aDayAround(nowMs),
  to: inTheFuture(nowMs),
  timezone: mostly(['UTC', 'Europe/Berlin', 'america/new_york'], ['Mars/Olympus']),
  jitter: mostly(['30s', '5m'], ['400d']),
  timeout: mostly(['30s', '5m', 'PT90S'], ['0s', 'P']),
  heartbeatTimeout: mostly(['10m', '1h'], ['400d']),
  grace: mostly(['60s', '1h'], ['1s']),
  catchUpWindow: mostly(['1h', '1d'], ['65d']),
  maxRuns: fc.integer({ min: 1, max: 5 }),
  exclude: mostly([['2026-12-25'], ['2026-12-24/2027-01-01'], []], [['* * 1 * *'], ['x']]),
  url: mostly(
    ['http://127.0.0.1:9/hook', 'https://127.0.0.1:8443/', 'https://localhost/'],
    ['https://10.0.0.1/'],
  ),
  headers: mostly<object>([{}, { 'X-Own': 'value' }], [{ host: 'x' }]),
  pool: mostly(['default'], ['none']),
  tags: mostly<object>([{}, { team: 'fuzz' }], [{ '': 'x' }]),
  retry: mostly<object>([{}, { maxAttempts: 1 }, { jitter: 'none' }], [{ maxAttempts: 0 }, { on: [200] }]),
});

/** Requests of one operation: as the document wants them, or with something wrong in one place. */
export function requestsOf(
  routeKey: string,
  contract: ApiContract,
  hints: Hints,
): fc.Arbitrary<FuzzedRequest> {
  const operation = contract.operation(routeKey);
  const right = rightRequest(routeKey, operation, contract, hints);
  return fc.oneof({ weight: 2, arbitrary: right }, { weight: 3, arbitrary: right.chain(wrong) });
}

/** None of the optional parameters half of the time: each may ask for what is not there. */
const someOf = <Parameter>(parameters: Parameter[]): fc.Arbitrary<Parameter[]> =>
  fc.oneof(fc.constant<Parameter[]>([]), fc.subarray(parameters));

/** An example of the document, with targets that the tests allow, and without the id of a job that exists. */
function usable(example: unknown, routeKey: string): unknown {
  const text = JSON.stringify(example ?? null).replaceAll(/https:\/\/[\w.-]+/g, 'http://127.0.0.1:9');
  const body = JSON.parse(text) as { jobId?: string } | null;
  if (routeKey === 'POST /v1/jobs') delete body?.jobId;
  return body;
}

function rightRequest(
  routeKey: string,
  operation: Operation,
  contract: ApiContract,
  hints: Hints,
): fc.Arbitrary<FuzzedRequest> {
  const { schemas } = contract.document.components;
  const parametersIn = (location: string) =>
    operation.parameters.filter((parameter) => parameter.in === location);
  const media = Object.entries(operation.requestBody?.content ?? {});
  const body = media.map(([type, { schema, example }]) =>
    fc.oneof(fc.constant(usable(example, routeKey)), fitting(schema, schemas, hints)).map((value) => ({
      headers: { 'content-type': type },
      body: JSON.stringify(value),
    })),
  );
  const value = (name: string, schema: Parameters<typeof fitting>[0]) =>
    (hints[name] ?? fitting(schema, schemas, hints)).map(String);
  return fc
    .record({
      routeKey: fc.constant(routeKey),
      path: fc.record(
        Object.fromEntries(parametersIn('path').map(({ name }) => [name, fc.record({ known: fc.nat(100) })])),
      ),
      query: someOf(parametersIn('query')).chain((chosen) =>
        fc.tuple(
          ...chosen.map(({ name, schema }) =>
            (schema.type === 'array'
              ? fitting(schema.items as object as typeof schema, schemas, hints).map(String)
              : value(name, schema)
            ).map((text): [string, string] => [name, text]),
          ),
        ),
      ),
      sent: body.length > 0 ? fc.oneof(...body) : fc.constant({ headers: {}, body: undefined }),
      keyed: someOf(parametersIn('header')).chain((chosen) =>
        fc.record(
          Object.fromEntries(
            chosen.map(({ name }) => [
              name,
              name === 'Idempotency-Key' ? fc.stringMatching(/^[a-c]{1,2}$/) : fc.constantFrom('*', '"none"'),
            ]),
          ),
        ),
      ),
    })
    .map(({ sent, keyed, ...request }) => ({
      ...request,
      body: sent.body,
      headers: { ...sent.headers, ...keyed } as Record<string, string>,
    }));
}

const headerText = fc.stringMatching(/^[\u0021-\u007e]{0,300}$/);
const pathText = fc
  .oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('a#b', '%', '%2e', '__proto__', 'x'.repeat(2_000), '\u202e'),
  )
  // a slash, or dots alone, are another path
  .filter((text) => !/[/\\]|^\.{1,2}$/.test(text) && !/\p{Surrogate}/u.test(text));

function wrong(request: FuzzedRequest): fc.Arbitrary<FuzzedRequest> {
  const { body, path, query, headers } = request;
  const ways: fc.Arbitrary<FuzzedRequest>[] = [
    fc.tuple(fc.string(), fc.string()).map((pair) => ({ ...request, query: [...query, pair] })),
    fc
      .record({ 'Idempotency-Key': headerText })
      .map((added) => ({ ...request, headers: { ...headers, ...added } })),
    fc.record({ 'If-Match': headerText }).map((added) => ({ ...request, headers: { ...headers, ...added } })),
    fc
      .constantFrom(
        'text/plain',
        'application/octet-stream',
        'multipart/form-data',
        'application/json; charset=x',
      )
      .map((type) => ({ ...request, headers: { ...headers, 'content-type': type } })),
  ];
  const names = Object.keys(path);
  if (names.length > 0)
    ways.push(
      fc
        .record({ name: fc.constantFrom(...names), text: pathText })
        .map(({ name, text }) => ({ ...request, path: { ...path, [name]: { text } } })),
    );
  if (query.length > 0)
    ways.push(
      fc
        .string()
        .map((text) => ({ ...request, query: query.map(([name]): [string, string] => [name, text]) })),
    );
  if (body !== undefined) {
    const value: unknown = JSON.parse(body);
    ways.push(
      mutated(value).map((changed) => ({ ...request, body: JSON.stringify(changed) })),
      mutated(value).map((changed) => ({ ...request, body: JSON.stringify(changed) })),
      spoilt(body).map((text) => ({ ...request, body: text })),
      fc.constant({ ...request, body: undefined }),
    );
  }
  return fc.oneof(...ways);
}
