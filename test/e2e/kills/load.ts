import { setTimeout as sleep } from 'node:timers/promises';

import type { FakeRandom } from '../../support/fake-random';

/** A job to register: its body, and how many occurrences it has. */
interface Wanted {
  jobId: string;
  planned: number;
  body: object;
}

const AGAIN_AFTER_MS = 200;
const REQUEST_TIMEOUT_MS = 10_000;
const RETRY = { maxAttempts: 8, initialDelay: '1s', maxDelay: '2s' };

/** Seconds apart and fires of a recurring job; it is over well within a test. */
const FIRES = 6;

/** Every so many jobs, one has a workflow. */
const WORKFLOW_EVERY = 4;

export function wantedJob(index: number, targetUrl: string, random: FakeRandom): Wanted {
  const jobId = `kill-${index}`;
  const workMs = random.pick([0, 50, 500, 3_000]);
  const url = `${targetUrl}/${random.pick(['200', '200', 'flaky'])}/${workMs}`;
  const common = { jobId, target: { type: 'http', url }, retry: RETRY };
  if (index % WORKFLOW_EVERY === 1) return { jobId, planned: 1, body: workflowBody(jobId, url, random) };
  if (random.fraction() < 0.6) {
    const delay = `${random.between(1, 12)}s`;
    return { jobId, planned: 1, body: { ...common, schedule: { type: 'delay', delay } } };
  }
  const schedule = { type: 'interval', every: random.pick(['1s', '2s', '5s']), maxRuns: FIRES };
  const overlap = random.pick(['allow', 'skip', 'queue']);
  return { jobId, planned: FIRES, body: { ...common, schedule, overlap } };
}

/** A run of a diamond: two tasks between the first and the last one. */
function workflowBody(jobId: string, url: string, random: FakeRandom): object {
  const target = { type: 'http', url };
  const tasks = {
    first: { target },
    left: { target, dependsOn: ['first'] },
    right: { target, dependsOn: ['first'] },
    last: { target, dependsOn: ['left', 'right'] },
  };
  const schedule = { type: 'delay', delay: `${random.between(1, 6)}s` };
  return { jobId, schedule, retry: RETRY, timeout: '1h', workflow: { tasks } };
}

/** Registers a job as a careful client does: again under the same key, until there is an answer. */
export async function register(
  { jobId, body }: Wanted,
  api: { url(): string; token: string; stop: AbortSignal },
): Promise<boolean> {
  const headers = {
    authorization: `Bearer ${api.token}`,
    'content-type': 'application/json',
    'idempotency-key': jobId,
  };
  while (!api.stop.aborted) {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const status = await fetch(`${api.url()}/v1/jobs`, {
      ...request,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    }).then(
      (answer) => answer.status,
      () => 0, // no answer: the API was killed, or is not there yet
    );
    if (status === 201) return true;
    if (status >= 400 && status < 500) throw new Error(`${jobId} was refused with ${status}`);
    await sleep(AGAIN_AFTER_MS);
  }
  return false;
}
