import { ApiContract, type Document } from '../../support/api-contract';
import { fuzz, type Send } from '../../support/fuzz/fuzz';
import type { RunningSystem } from '../../support/local-run';

/** For more by hand: `QUARTERJACK_FUZZ=600000,7`, milliseconds and seed. */
const [BUDGET_MS = 10_000, SEED = 20_261_201] = (process.env.QUARTERJACK_FUZZ ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);

let run: RunningSystem;
let token: string;

const send: Send = async ({ routeKey, pathParameters, query, headers, body }) => {
  const [method, template = ''] = routeKey.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(pathParameters[name]!),
  );
  const search = new URLSearchParams(query).toString();
  const answer = await fetch(`${run.url}${path}${search && `?${search}`}`, {
    method,
    headers: { ...headers, authorization: `Bearer ${token}` },
    body,
  });
  const text = await answer.text();
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: text === '' ? undefined : JSON.parse(text),
  };
};

/** Random requests of the user `fuzz`. */
export function describeFuzz(given: () => RunningSystem): void {
  describe('random requests', () => {
    beforeAll(async () => {
      run = given();
      token = await run.token('fuzz');
    });

    test(
      'whatever the running system is asked, its answer is one that its document names, and never a 500',
      async () => {
        const document = (await (await fetch(`${run.url}/v1/openapi.json`)).json()) as Document;
        const budget = { nowMs: Date.now(), seed: SEED, numRuns: 1_000_000, budgetMs: BUDGET_MS };
        const { requests, neverSucceeded } = await fuzz(new ApiContract(document), send, budget);
        if (process.env.QUARTERJACK_FUZZ) process.stdout.write(`${requests} requests\n`);
        expect(neverSucceeded.length).toBeLessThan(Object.keys(document.paths).length);
      },
      BUDGET_MS + 90_000,
    );
  });
}
