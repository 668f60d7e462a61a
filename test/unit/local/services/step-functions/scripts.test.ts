import { parseScript } from '../../../../../local/services/step-functions/scripts';

test.each([
  ['nightly=20s', { machine: 'nightly', lastsMs: 20_000, ends: ['SUCCEEDED'] }],
  ['*=1h,failed,succeeded', { machine: '*', lastsMs: 3_600_000, ends: ['FAILED', 'SUCCEEDED'] }],
  ['a=20d,timed-out,aborted', { machine: 'a', lastsMs: 1_728_000_000, ends: ['TIMED_OUT', 'ABORTED'] }],
  ['a=0ms', { machine: 'a', lastsMs: 0, ends: ['SUCCEEDED'] }],
])('%s', (text, script) => {
  expect(parseScript(text)).toEqual(script);
});

test.each(['nightly', 'nightly=', 'nightly=20', '=20s', 'a=21d', 'a=5s,lost', 'a=5s,', 'a=-1s', 'a b=1s'])(
  '%j is refused, and the error says what is expected',
  (text) => {
    expect(() => parseScript(text)).toThrow(/--state-machine is .*expected NAME=DURATION/);
  },
);
