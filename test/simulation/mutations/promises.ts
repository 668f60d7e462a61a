import { Calendar } from '../../../lambdas/core/schedule/calendar';
import type { EndRecord, LogRecord } from '../log';
import {
  allowsOverlap,
  anExecution,
  beginOf,
  endOf,
  loseFirstAttempt,
  type Mutation,
  ofExecution,
  succeededOnce,
  succeededTwice,
} from './log-edits';

const LATER_THAN_CLOCKS_DIFFER_MS = 10_000;

/** Logs that break what was promised of times, messages, requests and events. */
export const promises: readonly Mutation[] = [
  [
    'delivery-id',
    "a call has the id of another user's execution",
    (records) => {
      const row = anExecution(records, succeededOnce);
      const other = anExecution(records, (one) => succeededOnce(one) && one.jobKey !== row.jobKey);
      beginOf(records, row).deliveryId = beginOf(records, other).deliveryId;
    },
  ],
  [
    'calendar',
    'a call is made on a day that the calendar of its job excludes',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const day = new Date(row.dueAtMs).toISOString().slice(0, 10);
      const calendar = new Calendar({ dates: [day], weekdays: [], yearly: [] });
      for (const record of records)
        if (record.src === 'table' && record.type === 'job' && record.jobKey === row.jobKey && record.job)
          record.job.calendars = [{ id: 'days', version: '1', sinceMs: 0, calendar }];
      const calendarKey = `${row.jobKey.split('/')[0]}/days`;
      const { t } = records[0]!;
      records.unshift({ n: 0, t, src: 'table', type: 'calendar', calendarKey, calendar });
    },
  ],
  [
    'early',
    'a run begins before its time',
    (records) => {
      const row = anExecution(records, succeededOnce);
      beginOf(records, row).offsetMs -= 60_000;
    },
  ],
  [
    'late',
    'a run begins two minutes after its time',
    (records) => {
      const healed = records.find(({ src, type }) => src === 'run' && type === 'healed')!;
      const row = anExecution(
        records,
        (one) =>
          succeededOnce(one) &&
          allowsOverlap(records, one.jobKey) &&
          one.dueAtMs > healed.t + 400_000 &&
          one.dueAtMs < endOf(records).t - 300_000,
      );
      const { call } = beginOf(records, row);
      for (const record of records) {
        const moves = ofExecution(record, row) || (record.src === 'target' && record.call === call);
        if (moves) record.t += 120_000;
      }
    },
  ],
  [
    'future-entry',
    "an active job's next entry is missing",
    (records) => {
      const end = endOf(records);
      end.entries = end.entries.filter((entry) => entry.checkAtMs < end.t);
    },
  ],
  [
    'cursor',
    'a cursor is left behind',
    (records) => {
      endOf(records).cursors[0]!.minute -= 10;
    },
  ],
  [
    'behind-the-sweep',
    'an entry is written behind the sweep',
    (records) => {
      const written = records.findLast((record) => record.src === 'table' && record.type === 'entry')!;
      const late = structuredClone(written);
      if (late.src === 'table' && late.type === 'entry') late.entry.checkAtMs -= 3_600_000;
      records.splice(-1, 0, late);
    },
  ],
  [
    'drained',
    'a message waits too long',
    (records) => {
      endOf(records).queued = { count: 1, oldestMs: 90_000 };
    },
  ],
  [
    'obeyed',
    'a job is called after it was deleted',
    (records) => {
      const row = anExecution(records, succeededOnce);
      const claim = records.findIndex((record) => ofExecution(record, row));
      const { t } = records[claim]!;
      const versions = records.filter(
        (record) =>
          record.src === 'table' && record.type === 'job' && record.jobKey === row.jobKey && record.t < t,
      );
      const before = versions.at(-1)!;
      records.splice(claim, 0, { ...before, n: 0, t: t - 1, job: null } as LogRecord);
      // Created again right after the call, so that nothing else is missing.
      const end = records.findLastIndex((record) => ofExecution(record, row));
      records.splice(end + 1, 0, { ...before, t: records[end]!.t } as LogRecord);
    },
  ],
  [
    'obeyed',
    'a job goes on with the work of the one that had its id before',
    (records) => {
      const row = anExecution(records, succeededTwice);
      for (const record of records)
        if (record.src === 'table' && record.type === 'job' && record.jobKey === row.jobKey && record.job)
          record.job.createdAtMs = row.startedAtMs! + LATER_THAN_CLOCKS_DIFFER_MS * 2;
    },
  ],
  [
    'payload',
    'a call has the body of another definition',
    (records) => {
      beginOf(records, anExecution(records, succeededOnce)).stamp = 's999';
    },
  ],
  [
    'acknowledged',
    'an answer names a change that is not in the table',
    (records) => {
      const answer = records.find(
        (record) => record.src === 'api' && record.type === 'ok' && record.operation === 'createJob',
      );
      if (answer?.src === 'api') answer.etag = 'forged';
    },
  ],
  [
    'run-now',
    'an accepted manual run left no record',
    (records) => {
      const answer = records.find(
        (record) => record.src === 'api' && record.type === 'ok' && record.operation === 'runJob',
      );
      if (answer?.src === 'api') answer.execId = '20261201T080000.000Z-forged';
    },
  ],
  [
    'report',
    'a success that the API confirmed to its target is on record as a failure',
    (records) => {
      const { call, t } = beginOf(records, anExecution(records, succeededTwice));
      const end = records.find(
        (record) => record.src === 'target' && record.call === call && record.type === 'end',
      );
      if (end?.src === 'target' && end.type === 'end') end.how = 'accepted';
      const report = { src: 'report', report: 1, call, operation: 'completeAttempt', n: 0, t } as const;
      const sent: LogRecord[] = [
        { ...report, type: 'sent' },
        { ...report, type: 'answered', status: 200 },
      ];
      records.splice(-1, 0, ...sent);
    },
  ],
  [
    'cause',
    'two runs of a job have one cause',
    (records) => {
      const one = anExecution(records, succeededOnce);
      const other = anExecution(
        records,
        (row) => succeededOnce(row) && row.jobKey === one.jobKey && row.execId !== one.execId,
      );
      for (const row of [one, other]) row.cause = { type: 'event', name: 'order.paid', eventId: 'e1' };
    },
  ],
  [
    'payload-schema',
    'a run of an event is called with a payload that does not fit',
    (records) => {
      const row = anExecution(records, succeededOnce);
      for (const record of records)
        if (record.src === 'table' && record.type === 'job' && record.jobKey === row.jobKey && record.job)
          record.job.payloadSchema = { not: {} };
      for (const record of records)
        if (record.src === 'table' && record.type === 'execution' && record.execution?.execId === row.execId)
          record.execution.cause = { type: 'event', name: 'order.paid', eventId: 'e1' };
    },
  ],
  [
    'event',
    'an end is published before it is written',
    (records) => {
      const published = records.findIndex((record) => record.src === 'event');
      const [event] = records.splice(published, 1);
      records.splice(0, 0, { ...event!, t: records[0]!.t });
    },
  ],
  [
    'notification',
    'two messages are about one late execution',
    (records) => {
      const end = endOf(records);
      const row = anExecution(records, succeededOnce);
      const job = { jobId: row.jobKey.split('/')[1] };
      const payload = { value: { kind: 'late', job, execution: { execId: row.execId } } };
      const message = { ...row, jobKey: `${row.jobKey.split('/')[0]}/~n-ops`, payload };
      end.executions.push(
        { ...message, execId: `${row.execId}-1` },
        { ...message, execId: `${row.execId}-2` },
      );
    },
  ],
];

const isLateAndRetried = (one: EndRecord['executions'][0]): boolean =>
  succeededTwice(one) && one.latenessMs! > LATER_THAN_CLOCKS_DIFFER_MS;

/** Edits of a log with a retried execution that began late: each breaks a promise. */
export const latePromises: readonly Mutation[] = [
  [
    'obeyed',
    'a takeover calls what its job did not plan when it was claimed',
    (records) => {
      const row = anExecution(records, isLateAndRetried);
      loseFirstAttempt(records, row);
      for (const record of records) {
        if (record.src !== 'table' || record.type !== 'job' || record.jobKey !== row.jobKey) continue;
        if (record.job) record.job.activeSinceMs = Math.max(record.job.activeSinceMs, row.dueAtMs + 1);
      }
    },
  ],
  [
    'obeyed',
    'a takeover calls what its job did not plan when it was claimed, after another change',
    (records) => {
      const row = anExecution(records, isLateAndRetried);
      loseFirstAttempt(records, row);
      const ofRow = records.filter((record) => ofExecution(record, row));
      const claim = ofRow.find(
        (record) => record.src === 'table' && record.type === 'execution' && record.execution.fence === 2,
      )!;
      const before = records.findLast(
        (record) =>
          record.src === 'table' &&
          record.type === 'job' &&
          record.jobKey === row.jobKey &&
          record.t < claim.t,
      )!;
      const other = structuredClone(before);
      if (other.src === 'table' && other.type === 'job' && other.job) {
        other.job.activeSinceMs = row.dueAtMs + 1;
        other.job.scheduleChangedAtMs = claim.t - 1;
      }
      records.splice(records.indexOf(claim), 0, { ...other, t: claim.t - 1 });
      // As it was, right after the call, so that nothing else is missing.
      const end = records.indexOf(ofRow.at(-1)!);
      records.splice(end + 1, 0, { ...before, t: records[end]!.t });
    },
  ],
];
