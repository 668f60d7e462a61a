import type { Operator } from './operator';
import { authorizationOf } from './requests';

type Api = (
  method: string,
  path: string,
  body: unknown,
  headers: Record<string, string>,
) => Promise<{ body: { queues: { name: string }[] } }>;

/** More than scanners do before the status has counted the messages. */
const SCANS = 500;

const statusOf = async (api: Api, headers: Record<string, string>) =>
  (await api('GET', '/v1/admin/status', undefined, headers)).body;

/** The operator moves the dead letters of every queue back to it. */
export async function redrive(api: Api, operator: Operator): Promise<void> {
  await operator.addDeadLetters();
  const headers = { authorization: await authorizationOf('admin', 'admin') };
  for (const { name } of (await statusOf(api, headers)).queues)
    await api('POST', '/v1/admin/redrive', { queue: name, max: 1 }, headers);
}

/** The status tells how old messages are only while some wait. */
export async function showAges(api: Api, operator: Operator): Promise<void> {
  await operator.requestScans(SCANS);
  await statusOf(api, { authorization: await authorizationOf('admin', 'admin') });
}
