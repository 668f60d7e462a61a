import { withRetries } from '../../../../../lambdas/core/platform/calls/retries';

type Config = Parameters<typeof withRetries>[0];

/** A strategy that grants no retry, and the promise of its refusal. */
function refusing(): { config: Config; refusal: Promise<never> } {
  const refusal = Promise.reject(new Error('No retry token available'));
  const strategy = {
    acquireInitialRetryToken: () => Promise.resolve({}),
    refreshRetryTokenForRetry: () => refusal,
    recordSuccess: () => undefined,
  };
  return { config: { retryStrategy: () => Promise.resolve(strategy) } as unknown as Config, refusal };
}

test('a call that is aborted under way is an AbortError, and the refused retry does not end the process', async () => {
  const { config, refusal } = refusing();
  // An unhandled rejection ends a process. `catch` and `finally` call `then` too.
  const handled = jest.spyOn(refusal, 'then');
  const controller = new AbortController();
  const call = () => {
    controller.abort();
    return Promise.reject(Object.assign(new Error('Request aborted'), { name: 'AbortError' }));
  };
  await expect(withRetries(config, controller.signal, call)).rejects.toMatchObject({ name: 'AbortError' });
  expect(handled).toHaveBeenCalled();
});

test('without an abort, a call that gets no retry throws its own error, with the number of tries', async () => {
  const call = () => Promise.reject(new Error('throttled'));
  await expect(withRetries(refusing().config, undefined, call)).rejects.toMatchObject({
    message: 'throttled',
    $metadata: { attempts: 1 },
  });
});
