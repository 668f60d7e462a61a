import { useState } from 'preact/hooks';

import type { Explanation, JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { useExplanation } from '../../api/jobs';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo, useQueryValues } from '../../app/go';
import { now } from '../../app/now';
import { zone } from '../../app/zone';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { Instant } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Mark, type Status } from '../../parts/status-mark';
import { clock, count, dayYear, localOf, utcOf } from '../../time/format';

/** Why an occurrence ran, did not run, or will: the proof, with its sources. */
export function Why({ job }: { job: JobWithEtag }) {
  const { query } = useQueryValues();
  const at = query.get('at') ?? '';
  const isInstant = !Number.isNaN(Date.parse(at));
  return (
    <div class="why-grid">
      {isInstant ? (
        <Proof job={job} at={new Date(at).toISOString()} />
      ) : (
        <Card part="proof" flush>
          <Empty title="Choose the time at which it should have run." />
        </Card>
      )}
      <AskCard jobId={job.jobId} at={isInstant ? at : undefined} title="Another time" />
    </div>
  );
}

const MARKS: Record<Explanation['verdict'], Status> = {
  ran: 'succeeded',
  'not-planned': 'cancelled',
  skipped: 'skipped',
  late: 'retrying',
  'will-run': 'scheduled',
  waits: 'queued',
  lost: 'failed',
  unknown: 'paused',
};

function Proof({ job, at }: { job: JobWithEtag; at: string }) {
  const explanation = useExplanation(job.jobId, at);
  const ms = Date.parse(at);
  return (
    <Card
      part="proof"
      title={`Why did it run, or not, on ${dayYear(ms, zone.value)} at ${clock(ms, zone.value)}?`}
      more={<CopyButton text={() => location.href}>Copy link</CopyButton>}
    >
      <Loaded query={explanation} height={320}>
        {({ verdict, sentence, steps, execution }) => (
          <>
            <p class="answer" data-part="verdict">
              <Mark status={MARKS[verdict]} text={verdict} bare size={20} />
              <span>{sentence}</span>
            </p>
            <ol class="proof">
              {steps.map((step, index) => (
                <Step key={index} step={step} jobId={job.jobId} />
              ))}
            </ol>
            {execution && <WhatNow job={job} execution={execution} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

type StepFacts = Explanation['steps'][number];

/** A code that this page does not know yet is shown as it is. */
const CODE_WORDS: Readonly<Record<string, string>> = {
  existed: 'The job existed',
  planned: 'It was planned',
  excluded: 'Left out by the schedule',
  'start-at': 'The start of the schedule',
  'end-at': 'The end of the schedule',
  'max-runs': 'The number of runs',
  'clock-change': 'A change of clocks',
  backfilled: 'A backfill',
  deployment: 'The deployment worked',
  paused: 'A pause',
  superseded: 'A change of the schedule',
  deleted: 'A deletion',
  overlap: 'The execution before',
  'ordering-key': 'The ordering key',
  'concurrency-key': 'The concurrency key',
  misfire: 'The grace of missed times',
  cancelled: 'A cancellation',
  late: 'How late it began',
  ledger: 'The ledger',
  changes: 'The changes on record',
  retention: 'The retention',
};

const STEP_WORDS = { true: 'yes', false: 'no', null: 'unknown' } as const;

function Step({ step: { code, holds, text, evidence }, jobId }: { step: StepFacts; jobId: string }) {
  const answer = STEP_WORDS[String(holds) as keyof typeof STEP_WORDS];
  return (
    <li class={answer}>
      <h3>
        {CODE_WORDS[code] ?? code.replaceAll('-', ' ')} <span class="hidden">: {answer}</span>
      </h3>
      <p>{text}</p>
      {evidence && (
        <p class="quiet source">
          from {evidence.text}
          {evidence.execId !== undefined && (
            <>
              {' '}
              <Go to={paths.execution(evidence.jobId ?? jobId, evidence.execId)}>Open</Go>
            </>
          )}
          {evidence.changes && evidence.changes.length > 0 && (
            <>
              {' '}
              <Go to={paths.job(jobId, 'changes')}>Changes</Go>
            </>
          )}
        </p>
      )}
    </li>
  );
}

function WhatNow({ job, execution }: { job: JobWithEtag; execution: NonNullable<Explanation['execution']> }) {
  const can = useCan();
  const { execId, status, dueAt, skipped } = execution;
  const action = useAction(async () => {
    await call((api) => api.executions.retry(job.jobId, execId));
    await refresh('explanation');
    return 'It runs.';
  });
  const mayRun = can('runs:operate') && ['skipped', 'failed', 'cancelled'].includes(status);
  return (
    <p class="acts">
      <Go class="btn" to={paths.execution(job.jobId, execId)}>
        <span>
          Open the execution of <Instant at={dueAt} />
        </span>
      </Go>
      {mayRun && (
        <button type="button" class="btn" disabled={action.isBusy} onClick={() => void action.run()}>
          <Icon name="run" /> Run this occurrence now
        </button>
      )}
      {skipped && can('jobs:write') && (
        <Go class="btn" to={paths.backfill(job.jobId, skipped)}>
          Run all {count(skipped.count)}…
        </Go>
      )}
    </p>
  );
}

interface AskCardProps {
  jobId: string;
  /** RFC 3339. Default: now. */
  at?: string | undefined;
  title: string;
}

/** Asks about a time of the zone of the page. */
export function AskCard({ jobId, at, title }: AskCardProps) {
  const tz = zone.value;
  const [local, setLocal] = useState(() => localOf(at ? Date.parse(at) : now.peek(), tz));
  const go = useGo();
  return (
    <Card part="ask" title={title}>
      <Form class="ask" onSubmit={() => go(paths.why(jobId, utcOf(local, tz)))}>
        <input
          class="field"
          type="datetime-local"
          required
          aria-label="Date and time"
          value={local}
          onInput={(event) => setLocal(event.currentTarget.value)}
        />
        <button class="btn first">Explain</button>
      </Form>
      <p class="quiet">Times are in {tz}.</p>
    </Card>
  );
}
