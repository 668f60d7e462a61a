import { eventually } from '../../support/eventually';
import { authorizationOf } from './requests';

type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ body: { work?: { token: string }[] } }>;

/** A worker waits for work, claims it with a key, and reports. Its job has an overlap lock. */
export async function work(api: Api, withinMs: number): Promise<void> {
  const authorization = await authorizationOf('alice', 'jobs:write work');
  const as = { authorization };
  const target = { type: 'worker', queue: 'warehouse' };
  const schedule = { type: 'delay', delay: '3s' };
  await api('PUT', '/v1/jobs/worked', { schedule, target, overlap: 'skip' }, as);
  const claim = { queue: 'warehouse', wait: '5s', worker: 'host-1' };
  const { body } = await eventually(
    () => api('POST', '/v1/work/claim', claim, { ...as, 'idempotency-key': 'claim-1' }),
    (answer) => (answer.body.work ?? []).length > 0,
    withinMs,
  );
  const token = { authorization: `Bearer ${body.work![0]!.token}` };
  await api('POST', '/v1/attempts/log', { chunk: 0, lines: [{ text: 'done' }] }, token);
  await api('POST', '/v1/attempts/complete', {}, token);
}
