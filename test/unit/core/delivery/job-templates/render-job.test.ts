import { deliveryOf } from '../../../../../lambdas/core/delivery/delivery';
import { renderJob } from '../../../../../lambdas/core/delivery/job-templates/render-job';
import type { Execution } from '../../../../../lambdas/core/domain/execution';
import type { Job } from '../../../../../lambdas/core/domain/job';
import type { HttpTarget } from '../../../../../lambdas/core/domain/target';
import { aJob, anExecution, aTarget } from '../../../../support/factories';

const berlin = { type: 'cron' as const, expression: '30 0 * * MON-FRI', timezone: 'Europe/Berlin' };
/** Monday 00:30 in Berlin, which is Sunday in UTC. */
const DUE_MS = Date.parse('2026-11-29T23:30:00Z');

const rendered = (job: Partial<Job>, execution: Partial<Execution> = {}) =>
  renderJob(
    aJob({ templates: true, schedule: berlin, ...job }),
    anExecution({ dueAtMs: DUE_MS, startedAtMs: DUE_MS + 41, ...execution }),
  );

const payloadOf = (payload: unknown, execution?: Partial<Execution>): unknown => {
  const result = rendered({ payload }, execution);
  return 'job' in result ? result.job.payload : result;
};

const targetOf = (target: Partial<HttpTarget>) => {
  const result = rendered({ target: aTarget(target) });
  return 'job' in result ? (result.job.target as HttpTarget) : result;
};

it('leaves a job without templates as it is', () => {
  const job = aJob({ payload: { a: '{{ run.id' }, target: aTarget({ url: 'https://example.com/{{' }) });
  expect(renderJob(job, anExecution())).toEqual({ job });
});

it('gives the payload the fields of the run', () => {
  expect(payloadOf({ run: '{{ run }}', '{{ run.id }}': 'day {{ run.day }}' })).toEqual({
    run: {
      id: '20261129T233000.000Z',
      deliveryId: expect.stringMatching(/^[0-9a-f]{40}$/) as unknown,
      dueAt: '2026-11-29T23:30:00.000Z',
      previousDueAt: '2026-11-26T23:30:00.000Z',
      day: '2026-11-30',
      startedAt: '2026-11-29T23:30:00.041Z',
      trigger: 'schedule',
      jobId: 'nightly-report',
    },
    '{{ run.id }}': 'day 2026-11-30',
  });
});

it('has the id by which a target tells a repeated call', () => {
  const execution = anExecution({ attempt: 3 });
  const trace = { traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00` };
  const { headers } = deliveryOf(execution, aJob(), { nowMs: DUE_MS, dueAtMs: DUE_MS, trace });
  expect(payloadOf('{{ run.deliveryId }}', execution)).toBe(headers['webhook-id']);
});

it('uses the zone of the schedule for calendar filters', () => {
  expect(payloadOf("{{ run.dueAt | date('EEE HH:mm') }}")).toBe('Mon 00:30');
  expect(payloadOf("{{ run.dueAt | date('EEE HH:mm', 'UTC') }}")).toBe('Sun 23:30');
});

it('has no previous due time before the first one', () => {
  const schedule = { type: 'at' as const, at: '2026-11-29T23:30:00Z' };
  expect(rendered({ schedule, payload: '{{ run.previousDueAt }}' })).toEqual({
    fault:
      'payload: {{ run.previousDueAt }}: run.previousDueAt has no value; the filter default would replace it',
  });
  expect(rendered({ schedule, payload: '{{ run.previousDueAt | default(null) }}' })).toMatchObject({
    job: { payload: null },
  });
});

it('never renders the payload that a run or a retry brought', () => {
  const payload = { value: '{{ not a template' };
  expect(rendered({ payload: '{{ run.previousDueAt | number }}' }, { payload })).toMatchObject({
    job: { payload: '{{ run.previousDueAt | number }}' },
  });
});

it('limits the rendered payload to 64 KB', () => {
  const payload = Array.from({ length: 3_000 }, () => '{{ run.dueAt }}');
  expect(Buffer.byteLength(JSON.stringify(payload))).toBeLessThan(65_536);
  expect(rendered({ payload })).toEqual({
    fault: 'payload: renders to 81001 bytes as JSON; at most 65536 are allowed',
  });
});

describe('the URL', () => {
  it('gets its values percent-encoded', () => {
    const url =
      "https://example.com/{{ run.dueAt | replace('-', '/?#&é') }}/x?a={{ run.dueAt }}&b={{ run.day }}";
    expect(targetOf({ url })).toMatchObject({
      url:
        'https://example.com/2026%2F%3F%23%26%C3%A911%2F%3F%23%26%C3%A929T23%3A30%3A00.000Z/x' +
        '?a=2026-11-29T23%3A30%3A00.000Z&b=2026-11-30',
    });
  });

  it.each([
    ['https://example.com/a/{{ run.id | slice(0, 0) }}../b', 'segment "." or ".."'],
    [
      "https://example.com/a/{{ run.previousDueAt | replace('-', '') | slice(0, 0) }}./b",
      'segment "." or ".."',
    ],
    ["https://example.com/a/{{ run.day | replace('2026-11-30', '..') }}", 'segment "." or ".."'],
    [
      `https://example.com/{{ run.day | replace('-', '${'x'.repeat(400)}') }}${'y'.repeat(1_500)}`,
      '2048 are allowed',
    ],
  ])('%s is bad input', (url, fault) => {
    expect(targetOf({ url })).toEqual({ fault: expect.stringContaining(fault) });
  });

  it('keeps references to secrets as values of its query alone', () => {
    const url = 'https://example.com/{{ run.day }}?k=1&key={{secrets.key}}';
    expect(targetOf({ url })).toMatchObject({
      url: 'https://example.com/2026-11-30?k=1&key={{ secrets.key }}',
    });
    for (const wrong of [
      'https://example.com/{{ secrets.key }}',
      'https://example.com/x?a=1&{{ secrets.key }}',
    ])
      expect(targetOf({ url: wrong })).toEqual({
        fault: 'target.url: {{ secrets.key }}: no secret may stand here',
      });
  });

  it('may be a secret as a whole, which is no template', () => {
    expect(targetOf({ url: '{{ secrets.hook }}' })).toMatchObject({ url: '{{ secrets.hook }}' });
  });
});

describe('headers', () => {
  it('get values, and keep references to secrets', () => {
    const headers = { 'x-day': '{{ run.day }}', authorization: 'Bearer {{secrets.key}}' };
    expect(targetOf({ headers })).toMatchObject({
      headers: { 'x-day': '2026-11-30', authorization: 'Bearer {{ secrets.key }}' },
    });
  });

  it.each([
    "{{ run.day | replace('2026-11-30', '{{ secrets.other }}') }}",
    "{{ secrets.key }}{{ run.day | replace('2026-11-30', '{{ secrets.other }}') }}",
    "{{ run.day | replace('2026-11-30', '{') }}{ secrets.other }}",
    '{{{{ secrets.other }}',
  ])('%j does not become a reference to a secret', (value) => {
    expect(targetOf({ headers: { 'x-day': value } })).toEqual({
      fault: 'target.headers.x-day: renders to a text that names a secret: only the template itself may',
    });
  });

  it.each([
    ["{{ run.day | replace('-', item) }}".replace('item', "'ü'"), 'printable ASCII'],
    ["{{ run.day | replace('-', '\n') }}", 'printable ASCII'],
    [`{{ run.day | replace('-', '${'x'.repeat(440)}') }}`.repeat(10), 'at most 8192 are allowed'],
  ])('%j is bad input', (value, fault) => {
    expect(targetOf({ headers: { 'x-day': value } })).toEqual({ fault: expect.stringContaining(fault) });
  });
});

it('gives targets of AWS services the rendered payload', () => {
  const queue = { type: 'sqs', queueUrl: 'https://sqs.eu-central-1.amazonaws.com/111122223333/q' } as const;
  expect(rendered({ target: queue, payload: { day: '{{ run.day }}' } })).toMatchObject({
    job: { target: queue, payload: { day: '2026-11-30' } },
  });
});

describe('texts of an errand', () => {
  const task = {
    type: 'ecs',
    taskDefinitionArn: 'arn:aws:ecs:eu-central-1:111122223333:task-definition/target-report',
    clusterArn: 'arn:aws:ecs:eu-central-1:111122223333:cluster/target-jobs',
    container: 'app',
    environment: { DAY: '{{ payload.day }}' },
  } as const;

  it('name the payload as it is rendered', () => {
    expect(rendered({ target: task, payload: { day: '{{ run.day }}' } })).toMatchObject({
      job: { target: { environment: { DAY: '2026-11-30' } } },
    });
  });

  it('name the payload that a run brings, whose braces are no template', () => {
    const payload = { value: { day: '{{ run.day }}' } };
    expect(rendered({ target: task, payload: { day: 'x' } }, { payload })).toMatchObject({
      job: { target: { environment: { DAY: '{{ run.day }}' } } },
    });
  });

  it('are bad input where the payload has no such value', () => {
    expect(rendered({ target: task })).toEqual({
      fault: expect.stringContaining('target.environment.DAY: {{ payload.day }}: payload.day has no value'),
    });
  });
});

it('names the target of several', () => {
  const targets = [aTarget(), aTarget({ url: 'https://example.com/{{ run.day | number }}' })];
  expect(rendered({ target: targets[0]!, targets })).toEqual({
    fault: 'targets.1.url: {{ run.day | number }}: number: needs a number, not "2026-11-30"',
  });
});

it('renders the same again, attempt after attempt', () => {
  const job = { payload: '{{ run }}', target: aTarget({ headers: { 'x-run': '{{ run.startedAt }}' } }) };
  const first = JSON.stringify(rendered(job, { attempt: 1, fence: 1, claimedAtMs: DUE_MS + 41 }));
  const third = JSON.stringify(rendered(job, { attempt: 3, fence: 5, claimedAtMs: DUE_MS + 90_000 }));
  expect(third).toBe(first);
});
