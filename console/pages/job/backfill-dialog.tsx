import { useMemo, useState } from 'preact/hooks';

import type { BackfillPlan, JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { paths } from '../../app/address';
import { useGo } from '../../app/go';
import { now } from '../../app/now';
import { Choice, Labelled } from '../../parts/labelled';
import { PRIORITIES } from '../../parts/priorities';
import { type Typed, useTyped } from '../../editor/use-typed';
import { useAction } from '../../parts/action';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { JsonField } from '../../parts/json-field';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { zoneOf } from '../../planning/short-form';
import { count, plural } from '../../time/format';
import { type BackfillDraft, firstDraft, type Range, requestOf } from './backfill-draft';

const ORDERS = [
  ['asc', 'the oldest date'],
  ['desc', 'the newest date'],
] as const;
const ONLY = [
  ['missing', 'that have not succeeded'],
  ['all', 'all'],
] as const;
const FAILURES = [
  ['continue', 'goes on'],
  ['stop', 'starts no further date'],
] as const;
const OVERLAPS = [
  ['respect', 'waits while the job is occupied'],
  ['ignore', 'ignores what occupies the job'],
] as const;

interface FieldsProps {
  draft: BackfillDraft;
  zone: string;
  put(changes: Partial<BackfillDraft>): void;
  problem(path: string): string | undefined;
}

interface BackfillDialogProps {
  job: JobWithEtag;
  /** What the form begins with. */
  range: Range | undefined;
  onClose(): void;
}

/** What a backfill is asked for, what it would do, and a button that starts it. */
export function BackfillDialog({ job, range, onClose }: BackfillDialogProps) {
  const { jobId, workflow } = job;
  const zone = zoneOf(job.schedule) ?? 'UTC';
  const [draft, setDraft] = useState(() => firstDraft(now.peek(), zone, range));
  const put = (changes: Partial<BackfillDraft>) => setDraft({ ...draft, ...changes });
  const plan = useTyped(JSON.stringify(draft), async (signal) => {
    const request = requestOf(draft, zone);
    return call((api) => api.backfills.dryRun(jobId, request, { signal }));
  });
  // A lost answer does not make a second backfill.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [draft]);
  const go = useGo();
  const start = useAction(async () => {
    const request = requestOf(draft, zone);
    const { execId } = await call((api) => api.backfills.start(jobId, request, { idempotencyKey }));
    onClose();
    void refresh('backfill');
    go(paths.execution(jobId, execId));
    return 'The backfill has started.';
  });
  return (
    <Dialog title={`Backfill ${jobId}`} part="backfill-dialog" onClose={onClose} wide>
      <Form onSubmit={start.run}>
        <Fields draft={draft} zone={zone} put={put} problem={(path) => fieldProblem(plan.error, path)} />
        {workflow?.params && (
          <JsonField
            label="Parameters"
            value={draft.params}
            onChange={(params) => put({ params })}
            rows={3}
          />
        )}
        <p class="second" role="status" data-part="backfill-plan">
          <Plan plan={plan} zone={zone} />
        </p>
        <DialogActions
          submit="Start"
          disabled={start.isBusy || plan.error !== undefined || !plan.data?.count}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

function Fields({ draft, zone, put, problem }: FieldsProps) {
  const time = (path: 'from' | 'to', text: string) => (
    <Labelled text={text} hint={zone} wrong={problem(path)}>
      <input
        class="field"
        type="datetime-local"
        value={draft[path]}
        onInput={(event) => put({ [path]: event.currentTarget.value })}
      />
    </Labelled>
  );
  return (
    <>
      <div class="pair">
        {time('from', 'From')}
        {time('to', 'To before')}
        <Choice label="Dates" value={draft.only} options={ONLY} onChange={(only) => put({ only })} />
        <Choice
          label="Begins with"
          value={draft.order}
          options={ORDERS}
          onChange={(order) => put({ order })}
        />
        <Labelled text="Dates at once" wrong={problem('parallel')}>
          <input
            class="field"
            type="number"
            value={draft.parallel}
            onInput={(event) => put({ parallel: Number(event.currentTarget.value) })}
          />
        </Labelled>
        <Choice
          label="After a failure it"
          value={draft.onFailure}
          options={FAILURES}
          onChange={(onFailure) => put({ onFailure })}
        />
        <Choice
          label="A date"
          value={draft.overlap}
          options={OVERLAPS}
          onChange={(overlap) => put({ overlap })}
        />
        <Choice
          label="Priority"
          value={draft.priority}
          options={PRIORITIES}
          onChange={(priority) => put({ priority })}
        />
      </div>
    </>
  );
}

/** `3 dates, Mon 2 Nov 2026 09:00 to … · 1 succeeded already · about $0.00003`, or why there is no plan. */
function Plan({ plan: { data, error }, zone }: { plan: Typed<BackfillPlan>; zone: string }) {
  if (error !== undefined) return <span class="late">{wordsOf(error)}</span>;
  if (!data) return <>Counts the dates…</>;
  const { count: dates, first, last, alreadySucceeded, estimate } = data;
  return (
    <>
      <strong>{plural(dates, 'date')}</strong>
      {first && last && (
        <>
          , <Instant at={first} show="year" tz={zone} /> to <Instant at={last} show="year" tz={zone} />
        </>
      )}
      {alreadySucceeded > 0 && ` · ${count(alreadySucceeded)} succeeded already`}
      {` · about $${Number(estimate.dollars.toPrecision(2))}`}
    </>
  );
}
