export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed; undefined where there is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- what it holds is what the tests are about
  body: any;
}

/** Calls a running API with JSON under one token. */
export const apiCaller =
  (baseUrl: string, token: string) =>
  async (method: string, path: string, body?: unknown): Promise<ApiAnswer> => {
    const answer = await fetch(baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await answer.text();
    const parsed: unknown = text ? JSON.parse(text) : undefined;
    return { status: answer.status, headers: answer.headers, body: parsed };
  };
