import { useEffect, useMemo, useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { type Bulk, bulkOfFilter, bulkOfItems, countOf } from '../../api/bulk';
import { pageOfApi } from '../../api/bulk-pages';
import { call } from '../../api/client';
import { type FailuresFilter, failuresQuery } from '../../api/failures-filter';
import { refresh } from '../../api/polling';
import { BulkDialog } from '../../parts/bulk-dialog';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { wordsOf } from '../../parts/problem';
import { count, plural } from '../../time/format';
import { type FailureGroup, retryOrder } from './groups';

interface RetryDialogProps {
  group: FailureGroup;
  filter: FailuresFilter;
  /** Undefined: the whole cause, by the API and in its order. */
  chosen?: readonly Execution[];
  onClose(): void;
}

export const retryWord = ({ status }: Pick<FailureGroup, 'status'>): string =>
  status === 'failed' ? 'Retry' : 'Run';

/** Says what would run again, asks, and does it. */
export function RetryDialog({ group, filter, chosen, onClose }: RetryDialogProps) {
  const request = useMemo(() => requestOf(group, filter), []);
  const { total, error } = useTotal(() => (chosen ? chosen.length : countOf(request, pageOfApi)));
  const [bulk, setBulk] = useState<Bulk>();
  const word = retryWord(group);
  const title = `${word} ${total === undefined ? '…' : plural(total, 'execution')}`;
  if (bulk)
    return (
      <BulkDialog
        bulk={bulk}
        onClose={() => {
          void refresh('failures');
          onClose();
        }}
      />
    );
  return (
    <Dialog title={`${title}?`} part="retry-confirm" onClose={onClose}>
      <Form
        onSubmit={() =>
          setBulk(
            chosen
              ? bulkOfItems({
                  title,
                  items: retryOrder(chosen),
                  nameOf: ({ jobId, execId }) => `${jobId}/${execId}`,
                  act: ({ jobId, execId }) => call((api) => api.executions.retry(jobId, execId)),
                })
              : bulkOfFilter({ title, total: total!, request: { ...request, expect: total! } }, pageOfApi),
          )
        }
      >
        <Facts group={group} chosen={chosen} />
        {error !== undefined && <p role="alert">{wordsOf(error)}</p>}
        <DialogActions
          submit={`${word} ${total === undefined ? '…' : count(total)}`}
          disabled={total === undefined || total === 0}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** What is about to happen: how many jobs, from when, and what is called. */
function Facts({ group, chosen }: Pick<RetryDialogProps, 'group' | 'chosen'>) {
  const times = chosen?.map(({ dueAt, finishedAt }) => Date.parse(finishedAt ?? dueAt));
  const firstMs = times ? Math.min(...times) : group.firstMs;
  const lastMs = times ? Math.max(...times) : group.lastMs;
  const jobs = chosen ? new Set(chosen.map(({ jobId }) => jobId)).size : group.jobs;
  return (
    <p>
      They are of {plural(jobs, 'job')}, and ended between <Instant at={firstMs} /> and{' '}
      <Instant at={lastMs} /> with <code>{group.head}</code>. Each starts again at once
      {group.host ? (
        <>
          {' '}
          and calls <code>{group.host}</code>
        </>
      ) : (
        ' and calls its target'
      )}
      .
    </p>
  );
}

/** What fails while the dialog is open is not in it. */
const requestOf = (group: FailureGroup, filter: FailuresFilter) => {
  const { view: _, ...range } = failuresQuery(filter);
  const to = new Date().toISOString();
  return {
    action: 'retry' as const,
    filter: { to, ...range, fingerprint: group.key, status: group.status as 'failed' | 'skipped' },
  };
};

/** How many it is about, once that is counted. */
function useTotal(read: () => number | Promise<number>): { total: number | undefined; error: unknown } {
  const [total, setTotal] = useState<number>();
  const [error, setError] = useState<unknown>();
  useEffect(() => void Promise.resolve(read()).then(setTotal, setError), []);
  return { total, error };
}
