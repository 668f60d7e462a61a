import { labelsOf } from '../../../../../lambdas/core/delivery/job-templates/run-labels';
import { aJob, anExecution } from '../../../../support/factories';

const labels = (job: Parameters<typeof aJob>[0], execution: Parameters<typeof anExecution>[0] = {}) =>
  labelsOf(anExecution(execution), aJob(job));

it('says nothing of a job without labels', () => {
  expect(labels({}, { runTags: ['customer:1'], externalId: 'order-1' })).toEqual({});
});

it('renders what the job says with run and payload, also without `templates`', () => {
  const runTags = ['customer:{{ payload.customer }}', 'day:{{ run.day }}', 'plain'];
  const job = { runTags, externalId: '{{ run.jobId }}/{{ payload.customer }}', payload: { customer: 42 } };
  const found = { runTags: ['customer:42', 'day:2026-12-01', 'plain'], externalId: 'nightly-report/42' };
  expect(labels(job)).toEqual(found);
  expect(labels(job, { payload: { value: { customer: 'ann' } } })).toMatchObject({
    runTags: ['customer:ann', 'day:2026-12-01', 'plain'],
  });
});

it('names the payload as the target gets it', () => {
  const job = { runTags: ['{{ payload.day }}'], payload: { day: '{{ run.day }}' } };
  expect(labels({ ...job, templates: true })).toEqual({ runTags: ['2026-12-01'] });
});

it('leaves out what names a payload that cannot be rendered', () => {
  const unstarted = { startedAtMs: undefined };
  const payload = { customer: '{{ run.day }}', started: '{{ run.startedAt }}' };
  const runTags = ['customer:{{ payload.customer }}', 'plain'];
  const job = { templates: true, payload, runTags } as const;
  expect(labels(job, unstarted)).toEqual({ runTags: ['plain'], tagsLeftOut: 1 });
  const given = { payload: { value: { customer: 7 } } };
  expect(labels(job, { ...unstarted, ...given })).toEqual({ runTags: ['customer:7', 'plain'] });
});

it('leaves out what has no value or is no label, and counts it', () => {
  const payload = { long: 'x'.repeat(129), turned: 'a\u202eb', empty: '' };
  const runTags = [
    '{{ payload.missing }}',
    '{{ payload.long }}',
    '{{ payload.turned }}',
    '{{ payload.empty }}',
    'kept',
  ];
  expect(labels({ runTags, externalId: '{{ payload.missing }}', payload })).toEqual({
    runTags: ['kept'],
    tagsLeftOut: 5,
  });
});

it('keeps what the request says before what the job says, each once, and five in all', () => {
  const job = { runTags: ['a', 'b', 'c'], externalId: 'of-the-job' };
  expect(labels(job, { runTags: ['1', '2', 'a', '3'], externalId: 'of-the-request' })).toEqual({
    runTags: ['1', '2', 'a', '3', 'b'],
    externalId: 'of-the-request',
    tagsLeftOut: 1,
  });
});
