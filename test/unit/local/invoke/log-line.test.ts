import { readableLine } from '../../../../local/invoke/log-line';

const ENTRY = {
  level: 'WARN',
  message: 'execution failed',
  timestamp: '2026-11-22T08:30:50.240Z',
  service: 'executor',
  cold_start: true,
  function_arn: 'arn:aws:lambda:us-east-1:000000000000:function:x',
  function_memory_size: '256',
  function_name: 'x',
  function_request_id: '29d5bece',
  sampling_rate: 0,
  jobKey: 'alice/x',
  reason: 'attempts-exhausted',
  error: 'connect ECONNREFUSED 127.0.0.1:9',
};

test('a structured line becomes one that a person can read', () => {
  expect(readableLine('Executor', JSON.stringify(ENTRY))).toBe(
    '08:30:50 WARN executor: execution failed: connect ECONNREFUSED 127.0.0.1:9 (jobKey alice/x, reason attempts-exhausted)',
  );
});

test('an error object is its name and message', () => {
  const error = { name: 'TypeError', message: 'x is undefined', stack: 'at …'.repeat(100) };
  expect(readableLine('Executor', JSON.stringify({ level: 'ERROR', message: 'failed', error }))).toBe(
    'ERROR Executor: failed: TypeError: x is undefined',
  );
});

test('a long value is cut', () => {
  const line = readableLine('F', JSON.stringify({ level: 'INFO', message: 'm', body: 'x'.repeat(10_000) }));
  expect(line.length).toBeLessThan(400);
});

test.each(['plain text', '{ not JSON', '{"_aws":{}}', '7'])('%s gets the name of its function', (line) => {
  expect(readableLine('Executor', line)).toBe(`[Executor] ${line}`);
});

test('no character of a line controls the terminal', () => {
  const text = 'a\u001b]0;pwned\u0007\u001b[2J\u009b31m\u202eb';
  const entry = JSON.stringify({
    level: 'WARN',
    message: text,
    error: { name: text, message: text },
    body: text,
  });
  for (const line of [entry, text, `{${text}`])
    expect(readableLine('Executor', line)).not.toMatch(/[\p{Cc}\u202e]/u);
});
