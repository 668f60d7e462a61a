import { sleep } from '../../../client/sleep';

const reason = new Error('enough');

test('a sleep ends after its time', async () => {
  jest.useFakeTimers();
  const done = jest.fn();
  void sleep(20, new AbortController().signal).then(done);
  await jest.advanceTimersByTimeAsync(19);
  expect(done).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalled();
  jest.useRealTimers();
});

test('an abort ends the sleep at once, with the reason of the signal', async () => {
  const controller = new AbortController();
  const sleeping = sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});

test('a sleep does not begin if its signal has aborted already', async () => {
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
});
