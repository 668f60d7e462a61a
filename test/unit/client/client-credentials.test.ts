import { AuthenticationError, clientCredentials, ConnectionError, ResponseError } from '../../../client';

const CLIENT = { tokenEndpoint: 'https://login.test/oauth2/token', clientId: 'ci', clientSecret: 's3' };

/** A token function with an issuer that answers in order, at a time that the test sets. */
function signingIn(...answers: (Response | Error)[]) {
  const forms: string[] = [];
  const clock = { nowMs: 0 };
  const fetch = async (request: Request) => {
    forms.push(await request.text());
    const answer = answers[Math.min(forms.length, answers.length) - 1]!;
    if (answer instanceof Error) throw answer;
    return answer.clone();
  };
  const token = clientCredentials({ ...CLIENT, surroundings: { fetch, nowMs: () => clock.nowMs } });
  return { token, forms, clock };
}

const issued = (access_token: string) => Response.json({ access_token, expires_in: 3_600 });

test('a token is asked for once, also by calls at the same time, and again a minute before it expires', async () => {
  const { token, forms, clock } = signingIn(issued('first'), issued('second'));
  expect(await Promise.all([token(), token()])).toEqual(['first', 'first']);
  clock.nowMs = 3_539_000;
  expect(await token()).toBe('first');
  clock.nowMs = 3_540_000;
  expect(await token()).toBe('second');
  expect(forms).toEqual(Array(2).fill('grant_type=client_credentials&client_id=ci&client_secret=s3'));
});

test.each([
  [Response.json({ error: 'invalid_client' }, { status: 400 }), AuthenticationError, 'refuses the client ci'],
  [Response.json({ error: 'invalid_scope' }, { status: 400 }), ResponseError, 'answered 400 (invalid_scope)'],
  [new Response('<html>'), ResponseError, 'answered 200, and no token'],
  [new TypeError('fetch failed'), ConnectionError, 'https://login.test/oauth2/token did not respond'],
])('%p is an error of its own, and the next call asks again', async (answer, kind, message) => {
  const { token } = signingIn(answer, issued('later'));
  const error = await token().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).toContain(message);
  expect(await token()).toBe('later');
});
