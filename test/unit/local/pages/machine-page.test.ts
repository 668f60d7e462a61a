import { machinePage } from '../../../../local/pages/machine-page';

const page = (of: 'machine' | 'task' = 'machine') => {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  const none = { list: () => [], end: () => undefined, deliver: () => undefined };
  const standIn = { list: () => [], end: note('end'), deliver: note('deliver') };
  return of === 'machine'
    ? { done, ...machinePage([none, standIn], none) }
    : { done, ...machinePage([none], standIn) };
};

test.each([
  ['end well', ['end', 'a', 'SUCCEEDED']],
  ['end badly', ['end', 'a', 'FAILED', { error: 'StandIn', cause: 'ended by hand' }]],
  ['lose the event', ['deliver', 'a', 'lost']],
  ['send it twice', ['deliver', 'a', 'twice']],
])('the button "%s"', (act, expected) => {
  const { act: press, done } = page();
  press({ arn: 'a', act });
  expect(done).toEqual([expected]);
});

test.each([
  ['end well', ['end', 'a', expect.objectContaining({ exitCode: 0 })]],
  ['end badly', ['end', 'a', expect.objectContaining({ exitCode: 1 })]],
  ['interrupt it', ['end', 'a', expect.objectContaining({ stopCode: 'SpotInterruption' })]],
  ['lose the event', ['deliver', 'a', 'lost']],
  ['send it twice', ['deliver', 'a', 'twice']],
])('the button "%s" of a task', (act, expected) => {
  const { act: press, done } = page('task');
  press({ arn: 'a', act });
  expect(done).toEqual([expected]);
});

test.each([{ arn: 'a', act: 'explode' }, { act: 'end well' }, undefined, 'x'])('%j does nothing', (body) => {
  const { act: press, done } = page();
  expect(press(body)).toBeUndefined();
  expect(done).toEqual([]);
});
