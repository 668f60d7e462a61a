import { useEffect, useMemo, useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { type Bulk, type BulkPace, bulkOfItems, countOf } from '../../api/bulk';
import { bulkByApi, pageOfApi } from '../../api/bulk-pages';
import { call } from '../../api/client';
import { type FailuresFilter, failuresQuery } from '../../api/failures-filter';
import { refresh } from '../../api/polling';
import { useAction } from '../../parts/action';
import { BulkDialog } from '../../parts/bulk-dialog';
import { Choices, Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { wordsOf } from '../../parts/problem';
import { count, plural } from '../../time/format';
import { type FailureGroup, retryOrder, retryWord } from './groups';
import { OneFirst } from './one-first';

interface RetryDialogProps {
  group: FailureGroup;
  filter: FailuresFilter;
  /** Undefined: the whole cause, by the API and in its order. */
  chosen?: readonly Execution[];
  onClose(): void;
}

const PACES = [
  ['all', 'at once', undefined],
  ['5s', '5 a second', { items: 5, everyMs: 1_000 }],
  ['10m', '10 a minute', { items: 1, everyMs: 6_000 }],
] as const satisfies readonly (readonly [string, string, BulkPace | undefined])[];
type PaceName = (typeof PACES)[number][0];

const titleOf = (word: string, n: number | undefined): string =>
  `${word} ${n === undefined ? '…' : plural(n, 'execution')}`;

/** Starts the retries of a whole cause: of its first execution alone, and of all that are left then. */
function useRetries(group: FailureGroup, filter: FailuresFilter, chosen: readonly Execution[] | undefined) {
  const request = useMemo(() => requestOf(group, filter), []);
  const { total, error } = useTotal(() => (chosen ? chosen.length : countOf(request, pageOfApi)));
  const [isFirstAsked, setFirstAsked] = useState(false);
  const [bulk, setBulk] = useState<Bulk>();
  const all = useAction(async (name: PaceName) => {
    const rest = isFirstAsked ? await countOf(request, pageOfApi) : total!;
    const pace = PACES.find(([one]) => one === name)![2];
    const title = titleOf(retryWord(group), rest);
    setBulk(bulkByApi({ title, total: rest, request: { ...request, expect: rest }, pace }));
    return undefined;
  });
  const first = useAction(async () => {
    const { jobId, execId } = group.first!;
    await call((api) => api.executions.retry(jobId, execId));
    await refresh('execution');
    setFirstAsked(true);
    return undefined;
  });
  return { total, error, isFirstAsked, bulk, setBulk, all, first };
}

/** Says what would run again, asks, and does it: the whole cause with a pace, and one of it first. */
export function RetryDialog({ group, filter, chosen, onClose }: RetryDialogProps) {
  const { total, error, isFirstAsked, bulk, setBulk, all, first } = useRetries(group, filter, chosen);
  const [pace, setPace] = useState<PaceName>('all');
  const [isOneFirst, setOneFirst] = useState(false);
  const word = retryWord(group);
  const title = titleOf(word, total);
  const submit = () => {
    if (chosen) return setBulk(bulkOfChosen(title, chosen));
    return void (isOneFirst ? first.run() : all.run(pace));
  };
  const close = () => {
    void refresh('failures');
    onClose();
  };
  if (bulk) return <BulkDialog bulk={bulk} onClose={close} />;
  if (isFirstAsked)
    return (
      <OneFirst
        first={group.first!}
        others={`${word} the others`}
        onGoOn={() => void all.run(pace)}
        onClose={close}
      />
    );
  return (
    <Dialog title={`${title}?`} part="retry-confirm" onClose={onClose}>
      <Form onSubmit={submit}>
        <Facts group={group} chosen={chosen} />
        {!chosen && total !== undefined && total > 1 && (
          <How pace={pace} onPace={setPace} oneFirst={group.first && isOneFirst} onOneFirst={setOneFirst} />
        )}
        {error !== undefined && <p role="alert">{wordsOf(error)}</p>}
        <DialogActions
          submit={isOneFirst ? `${word} one` : `${word} ${total === undefined ? '…' : count(total)}`}
          disabled={total === undefined || total === 0 || all.isBusy || first.isBusy}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface HowProps {
  pace: PaceName;
  onPace(pace: PaceName): void;
  /** Undefined: which one would be first is not known. */
  oneFirst: boolean | undefined;
  onOneFirst(isOneFirst: boolean): void;
}

/** How fast, and whether one of them tries first. */
const How = ({ pace, onPace, oneFirst, onOneFirst }: HowProps) => (
  <>
    <Choices
      label="Pace"
      value={pace}
      options={PACES.map(([name, words]) => [name, words] as const)}
      onChange={(one) => onPace(one)}
    />
    {oneFirst !== undefined && (
      <label class="check">
        <input
          type="checkbox"
          checked={oneFirst}
          onChange={(event) => onOneFirst(event.currentTarget.checked)}
        />
        One first: the others wait until it has ended
      </label>
    )}
  </>
);

const bulkOfChosen = (title: string, chosen: readonly Execution[]): Bulk =>
  bulkOfItems({
    title,
    items: retryOrder(chosen),
    nameOf: ({ jobId, execId }) => `${jobId}/${execId}`,
    act: ({ jobId, execId }) => call((api) => api.executions.retry(jobId, execId)),
  });

/** What is about to happen: how many jobs, from when, and what is called. */
function Facts({ group, chosen }: Pick<RetryDialogProps, 'group' | 'chosen'>) {
  const times = chosen?.map(({ dueAt, finishedAt }) => Date.parse(finishedAt ?? dueAt));
  const firstMs = times ? Math.min(...times) : group.firstMs;
  const lastMs = times ? Math.max(...times) : group.lastMs;
  const jobs = chosen ? new Set(chosen.map(({ jobId }) => jobId)).size : group.jobs;
  return (
    <p>
      They are of {plural(jobs, 'job')}, and ended between <Instant at={firstMs} /> and{' '}
      <Instant at={lastMs} /> with <code>{group.head}</code>. Each starts again
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
