import { jobKeyOf } from '../../../lambdas/core/contracts/tables';
import type { AuditRecord, LogRecord } from '../log';
import { endOf, type Mutable, type Mutation } from './log-edits';

/** Adds a record right before the end of the log. */
const addBefore = (records: Mutable, happening: object): void => {
  records.splice(-1, 0, { n: 0, t: endOf(records).t, ...happening } as LogRecord);
};

/** A repair of an active job that has an entry ahead. */
const aRepair = (records: Mutable): Omit<AuditRecord, 'what'> => {
  const { jobs, entries, t } = endOf(records);
  const job = jobs.find(
    ({ status, revision }) =>
      status === 'active' &&
      entries.some((one) => one.kind === 'occurrence' && one.revision === revision && one.checkAtMs > t),
  )!;
  const jobKey = jobKeyOf(job);
  return { src: 'auditor', type: 'repaired', jobKey, sinceMs: t, filed: [], queued: [] };
};

/** Logs that break docs/adr/0016: a write that is given up ends, and the auditor asks first. */
export const claims: readonly Mutation[] = [
  [
    'given-up',
    'the API tries a write again after its response',
    (records) => {
      const { t } = endOf(records);
      const api = { node: 'api-1', command: 'PutCommand', table: 'jobs', by: 'answer' };
      addBefore(records, { src: 'store', type: 'given-up', ...api, givenUpMs: t - 20, begunMs: t - 10 });
    },
  ],
  [
    'repaired-without-loss',
    'the auditor calls a series lost that has an entry ahead',
    (records) => addBefore(records, { ...aRepair(records), what: 'series' }),
  ],
  [
    'repaired',
    'the pipeline has lost what the auditor repairs',
    (records) => {
      const repair = aRepair(records);
      const { jobKey } = repair;
      const filed = {
        kind: 'attempt',
        jobKey,
        shard: 0,
        checkAtMs: repair.sinceMs,
        execId: 'lost',
        attempt: 2,
      };
      addBefore(records, { ...repair, what: 'history', missed: 1, filed: [filed] });
    },
  ],
];
