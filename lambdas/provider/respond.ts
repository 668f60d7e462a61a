import type { Clock } from '../core/clock/clock';

/** What CloudFormation waits for. */
export interface StackResponse {
  Status: 'SUCCESS' | 'FAILED';
  Reason?: string;
  PhysicalResourceId: string;
  StackId: string;
  RequestId: string;
  LogicalResourceId: string;
}

const PAUSES_MS = [500, 2_000, 5_000];

/** Without a response, the stack waits until its timeout. Throws if the last try fails too. */
export async function respond(
  url: string,
  response: StackResponse,
  { fetch, clock }: { fetch: typeof globalThis.fetch; clock: Pick<Clock, 'sleep'> },
): Promise<void> {
  const body = JSON.stringify(response);
  for (let tries = 0; ; tries++)
    try {
      // The URL is signed for a request without a type.
      const { ok, status } = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
      if (ok) return;
      throw new Error(`CloudFormation's response URL answered ${status}`);
    } catch (error) {
      const pauseMs = PAUSES_MS[tries];
      if (pauseMs === undefined) throw error;
      await clock.sleep(pauseMs);
    }
}
