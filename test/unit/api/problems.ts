import type { Answered } from './world';

/** A problem’s standard members, and its message about one field. */
export function said(answered: Answered, path: string) {
  const { type, title, status, errors } = answered.body;
  const { message } =
    (errors as { path: string; message: string }[]).find((error) => error.path === path) ?? {};
  return {
    status: answered.status,
    contentType: answered.headers['content-type'],
    type,
    title,
    inBody: status,
    message,
  };
}

export const problem = (status: number, word: RegExp) => ({
  status,
  contentType: 'application/problem+json',
  type: expect.stringMatching(/\/v1\/problems\/[a-z-]+$/) as string,
  title: expect.any(String) as string,
  inBody: status,
  message: expect.stringMatching(word) as string,
});
