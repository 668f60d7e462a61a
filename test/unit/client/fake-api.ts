import { Quarterjack, type RetryOptions } from '../../../client';

export interface SeenRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

/** A client whose requests get these responses in turn. An `Error` simulates a network failure. */
export function clientOf(responses: (Response | Error)[], retry: Partial<RetryOptions> = {}) {
  const seen: SeenRequest[] = [];
  const pausesMs: number[] = [];
  const client = new Quarterjack({
    url: 'https://api.test/',
    token: () => Promise.resolve('a.b.c'),
    retry,
    surroundings: {
      random: () => 0.5,
      sleep: (ms) => Promise.resolve(pausesMs.push(ms)),
      fetch: async (request) => {
        const { method, headers } = request;
        const { pathname, search } = new URL(request.url);
        const text = await request.text();
        seen.push({ method, path: pathname + search, headers, body: text ? JSON.parse(text) : undefined });
        const response = responses.shift();
        if (!response) throw new Error('one request more than there are responses');
        if (response instanceof Error) throw response;
        return response;
      },
    },
  });
  return { client, seen, pausesMs };
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

export const problem = (status: number, more: object = {}, headers: Record<string, string> = {}): Response =>
  json(
    status,
    { type: '/v1/problems/x', title: 'Title', status, detail: 'what it is', ...more },
    { 'content-type': 'application/problem+json', ...headers },
  );

/** The smallest valid definition of a job. */
export const JOB = { schedule: 'rate(5 minutes)', target: { type: 'http' as const, url: 'https://t.test/' } };
