import { machinePage } from '../../../../local/pages/machine-page';

const page = () => {
  const done: unknown[][] = [];
  const note =
    (name: string) =>
    (...args: unknown[]) =>
      void done.push([name, ...args]);
  return { done, ...machinePage({ list: () => [], end: note('end'), deliver: note('deliver') }) };
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

test.each([{ arn: 'a', act: 'explode' }, { act: 'end well' }, undefined, 'x'])('%j does nothing', (body) => {
  const { act: press, done } = page();
  expect(press(body)).toBeUndefined();
  expect(done).toEqual([]);
});
