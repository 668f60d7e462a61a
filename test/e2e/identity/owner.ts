import { authorizationOf } from './requests';

/** A request to the API, by default as a user who may read and write jobs. */
type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ body: { key?: string } }>;

/** The authorizer reads the row of an API key, and notes the day of its use. */
export async function useKey(api: Api): Promise<void> {
  const owner = await authorizationOf('alice', 'jobs:read project:admin');
  const { body } = await api(
    'POST',
    '/v1/api-keys',
    { name: 'ci', role: 'viewer' },
    { authorization: owner },
  );
  await api('GET', '/v1/me', undefined, { authorization: `Bearer ${body.key}` });
}

/** An address is subscribed, and gets a mail. Another one is subscribed, and ended. */
export async function sendMail(api: Api): Promise<void> {
  const owner = { authorization: await authorizationOf('alice', 'project:admin') };
  const mails = { on: ['failed'], target: { type: 'email', to: 'ops@example.com' } };
  await api('PUT', '/v1/notifications/mails', mails, owner);
  await api('POST', '/v1/notifications/mails/test', undefined, owner);
  const more = { on: ['failed'], target: { type: 'email', to: 'gone@example.com' } };
  await api('PUT', '/v1/notifications/gone', more, owner);
  await api('DELETE', '/v1/notifications/gone', undefined, owner);
}
