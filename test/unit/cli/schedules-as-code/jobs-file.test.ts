import { FileError, parseJobsFile } from '../../../../cli/schedules-as-code/jobs-file';

const YAML = `# comment
defaults:
  tags: { managed-by: jobs.yaml }
  retry: { maxAttempts: 5 }
  pool: default
jobs:
  report:
    schedule:
      type: cron
      expression: 30 9 * * MON-FRI
    target: &hook { type: http, url: https://example.com/report }
    tags:
      team: billing
    paused: true
  close:
    jobId: close
    schedule: rate(5 minutes)
    target: *hook
    retry: { initialDelay: 1s }
`;

test('defaults apply to every job, and tags, retry and misfire are merged', () => {
  const [report, close] = parseJobsFile(YAML, 'jobs.yaml');
  expect(report).toMatchObject({
    jobId: 'report',
    paused: true,
    definition: {
      schedule: { type: 'cron', expression: '30 9 * * MON-FRI' },
      tags: { 'managed-by': 'jobs.yaml', team: 'billing' },
      retry: { maxAttempts: 5 },
      pool: 'default',
    },
  });
  expect(close?.definition).toMatchObject({
    target: { url: 'https://example.com/report' },
    retry: { maxAttempts: 5, initialDelay: '1s' },
  });
  expect(close).toMatchObject({ jobId: 'close', paused: undefined });
  expect(close?.definition).not.toHaveProperty('jobId');
});

test('the position of a field is its line, or that of its nearest parent', () => {
  const [report, close] = parseJobsFile(YAML, 'jobs.yaml');
  expect(report?.where()).toBe('jobs.yaml:7');
  expect(report?.where('schedule.expression')).toBe('jobs.yaml:10');
  expect(report?.where('schedule.timezone')).toBe('jobs.yaml:8');
  expect(report?.where('priority')).toBe('jobs.yaml:7');
  expect(close?.where('retry.initialDelay')).toBe('jobs.yaml:19');
});

test('a list is accepted, and so is JSON', () => {
  const json =
    '{\n "jobs": [\n  { "jobId": "a", "schedule": "rate(1 hour)",\n    "target": {"type":"http","url":"https://e.com"} }\n ]\n}';
  const [job] = parseJobsFile(json, 'jobs.json');
  expect(job).toMatchObject({ jobId: 'a', definition: { schedule: 'rate(1 hour)' } });
  expect(job?.where('target.url')).toBe('jobs.json:4');
});

const body = 'schedule: rate(1 hour), target: { type: http }';
test.each<[string, string[]]>([
  ['jobs: [a', [expect.stringMatching(/^f:1: /) as string]],
  ['x-a: 1\nx-a: 2\njobs: []', ['f:2: x-a: is already defined at f:1']],
  [`jobs:\n  a: { ${body} }\n  a: { ${body} }`, ['f:3: jobs.a: is already defined at f:2']],
  [
    `jobs:\n  a: { ${body} }\n---\njobs: {}`,
    ['f:3: a second document (---) begins: give each a file of its own'],
  ],
  [
    `jobs:\n  __proto__: { ${body} }`,
    [expect.stringMatching(/^f:2: __proto__: jobId: must be 1 to/) as string],
  ],
  ['[]', ['f: expected an object with jobs']],
  ['jobs: 5', ['f:1: jobs: must be a list, or an object with jobIds as keys']],
  [`job:\n  a: { ${body} }\njobs: []`, ['f:1: job: is unknown; did you mean "jobs"?']],
  [`jobs:\n  a: { ${body},\n    shedule: x }`, ['f:3: a: shedule: is unknown; did you mean "schedule"?']],
  ['jobs:\n  a: {}', ['f:2: a: schedule: is missing', 'f:2: a: target: is missing']],
  [`jobs:\n  a/b: { ${body} }`, [expect.stringMatching(/^f:2: a\/b: jobId: must be 1 to 64/) as string]],
  [`jobs:\n- { ${body} }`, [expect.stringMatching(/^f:2: jobs.0: jobId: must be/) as string]],
  [`jobs:\n- { jobId: a, ${body} }\n- { jobId: a, ${body} }`, ['f:3: a: is already defined at f:2']],
  [`jobs:\n  a: { jobId: b, ${body} }`, ['f:2: a: jobId: must be "a" or be left out']],
  [`jobs:\n  a: { paused: maybe, ${body} }`, ['f:2: a: paused: must be true or false']],
  [
    'jobs:\n- 5',
    [expect.stringContaining('jobId') as string, 'f:2: jobs.0: must be an object with the fields of a job'],
  ],
  [
    `defaults: { jobId: x }\njobs: { a: { ${body} } }`,
    [expect.stringMatching(/^f:1: defaults: jobId: is unknown/) as string],
  ],
])('%j is rejected', (text, problems) => {
  let error: unknown;
  try {
    parseJobsFile(text, 'f');
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(FileError);
  expect((error as FileError).problems).toEqual(problems);
});

test('names such as __proto__ reach the API, which checks them', () => {
  const [job] = parseJobsFile(
    'defaults: { tags: { __proto__: a } }\n' +
      'jobs: { a: { schedule: rate(1 hour), tags: { b: c }, workflow: { tasks: { __proto__: {}, constructor: {} } } } }',
    'f',
  );
  expect(JSON.stringify(job!.definition.tags)).toBe('{"__proto__":"a","b":"c"}');
  expect(JSON.stringify(job!.definition.workflow)).toBe('{"tasks":{"__proto__":{},"constructor":{}}}');
});
