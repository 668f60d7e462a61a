import { useState } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { zone } from '../../app/zone';
import { usePreview } from '../../editor/use-preview';
import { useAction } from '../../parts/action';
import { AskDialog, Dialog, DialogActions, Form } from '../../parts/dialog';
import { Instant } from '../../parts/instant';
import { jsonProblem } from '../../parts/json-field';
import { PayloadForm } from '../../parts/payload-form';
import { zoneOf } from '../../planning/short-form';
import { localOf, utcOf } from '../../time/format';

interface RunDialogProps {
  job: JobWithEtag;
  onClose(): void;
  onRun(execId: string): void;
}

/** Runs the job once, with its payload or another. */
export function RunDialog({ job, onClose, onRun }: RunDialogProps) {
  const own = job.payload === undefined ? '' : JSON.stringify(job.payload, null, 2);
  const [text, setText] = useState(own);
  const action = useAction(async () => {
    const given = text.trim() ? (JSON.parse(text) as unknown) : null;
    const changed = job.workflow ? { params: (given ?? {}) as Record<string, unknown> } : { payload: given };
    const body = text.trim() === own ? {} : changed;
    const { execId } = await call((api) => api.jobs.run(job.jobId, body));
    onClose();
    void refresh('ledger');
    onRun(execId);
    return `${job.jobId} runs.`;
  });
  return (
    <Dialog title={`Run ${job.jobId} now`} part="run-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p class="second">It runs once. The schedule stays as it is.</p>
        {job.workflow && !job.payloadSchema ? (
          <p class="second">Its tasks have their own inputs.</p>
        ) : (
          <PayloadForm
            label={job.workflow ? 'Parameters' : 'Payload'}
            schema={job.payloadSchema}
            value={text}
            onChange={setText}
            rows={8}
          />
        )}
        <DialogActions
          submit="Run now"
          disabled={action.isBusy || jsonProblem(text) !== undefined}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

const HINT = 'The changes of the job show it. May be empty.';

type Noted = (note: string | undefined) => Promise<string | undefined>;

interface PauseDialogProps {
  job: JobWithEtag;
  onClose(): void;
  /** @param until undefined: until a user resumes it */
  pause(note: string | undefined, until: string | undefined): Promise<string | undefined>;
}

/** Pauses a job, or gives the pause that it has another end. */
export function PauseDialog({ job: { status, pausedUntil }, onClose, pause }: PauseDialogProps) {
  const tz = zone.value;
  const before = pausedUntil ? localOf(Date.parse(pausedUntil), tz) : '';
  const [local, setLocal] = useState(before);
  const isPaused = status === 'paused';
  return (
    <AskDialog
      title={isPaused ? 'When does the pause end?' : 'Pause the job?'}
      part="pause-dialog"
      words="It does not fire until it is resumed. What falls due meanwhile is recorded as skipped."
      submit={isPaused ? 'Save' : 'Pause'}
      hint={HINT}
      onClose={onClose}
      // The field has no seconds: an end that stays as it is keeps those that it has.
      act={(note) => pause(note, local === before ? pausedUntil : utcOf(local, tz) || undefined)}
    >
      <label class="labelled">
        Until <span class="hint">{tz}. Empty: until you resume it.</span>
        <input
          class="field"
          type="datetime-local"
          value={local}
          onInput={(event) => setLocal(event.currentTarget.value)}
        />
      </label>
    </AskDialog>
  );
}

interface ResumeDialogProps {
  job: JobWithEtag;
  onClose(): void;
  resume: Noted;
}

/** After a colon, when the API has told it. */
function NextTime({ schedule }: Pick<JobWithEtag, 'schedule'>) {
  const { data } = usePreview(schedule, undefined);
  const next = data?.times[0];
  return (
    next && (
      <>
        : <Instant at={next.at} tz={zoneOf(schedule)} />
      </>
    )
  );
}

export function ResumeDialog({ job: { schedule }, onClose, resume }: ResumeDialogProps) {
  // An interval counts from its job, and a jitter follows from it: the preview knows no job.
  const isKnown = typeof schedule === 'object' && schedule.type === 'cron' && !schedule.jitter;
  return (
    <AskDialog
      title="Resume the job?"
      part="resume-dialog"
      words={
        <>
          It fires from its next time on
          {isKnown && <NextTime schedule={schedule} />}. Nothing is made up for.
        </>
      }
      submit="Resume"
      hint={HINT}
      onClose={onClose}
      act={resume}
    />
  );
}

interface DeleteDialogProps {
  jobId: string;
  onClose(): void;
  remove(): Promise<string | undefined>;
}

export function DeleteDialog({ jobId, onClose, remove }: DeleteDialogProps) {
  const [typed, setTyped] = useState('');
  const action = useAction(remove);
  return (
    <Dialog title={`Delete ${jobId}?`} part="delete-dialog" onClose={onClose}>
      <Form onSubmit={action.run}>
        <p>It never fires again. Its history and its changes stay until their retention ends.</p>
        <label class="labelled">
          Type {jobId} to confirm
          <input
            class="field"
            value={typed}
            spellcheck={false}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <DialogActions submit="Delete" danger disabled={typed !== jobId || action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
