import { useState } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { useShortcuts } from '../../app/shortcuts';
import { Icon } from '../../parts/icons';
import { isRunnable } from '../../parts/target-text';
import { say } from '../../parts/toast';
import { DeleteDialog, PauseDialog, ResumeDialog, RunDialog } from './dialogs';

type Asked = 'run' | 'pause' | 'resume' | 'delete' | undefined;

/** What the reader may do with a job, and the dialog that asks before. */
export function JobActions({ job }: { job: JobWithEtag }) {
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <Buttons job={job} ask={setAsked} />
      <Asking asked={asked} job={job} onClose={() => setAsked(undefined)} />
    </>
  );
}

function Buttons({ job, ask }: { job: JobWithEtag; ask(what: Asked): void }) {
  const can = useCan();
  const go = useGo();
  const mayRun = can('runs:operate') && isRunnable(job);
  const isPaused = job.status === 'paused';
  const toDefinition = paths.job(job.jobId, 'definition');
  const canPause = can('runs:operate') && job.status !== 'completed';
  const toggle = () => ask(isPaused ? 'resume' : 'pause');
  useShortcuts([
    ...(mayRun ? [{ keys: 'r', words: 'Run now…', run: () => ask('run') }] : []),
    ...(canPause ? [{ keys: 'p', words: isPaused ? 'Resume…' : 'Pause…', run: toggle }] : []),
    ...(can('jobs:write') ? [{ keys: 'e', words: 'Edit', run: () => go(toDefinition) }] : []),
  ]);
  return (
    <>
      {mayRun && (
        <button type="button" class="btn" onClick={() => ask('run')}>
          <Icon name="run" /> Run now
        </button>
      )}
      {canPause && (
        <button type="button" class="btn" onClick={toggle}>
          <Icon name={isPaused ? 'clock' : 'pause'} /> {isPaused ? 'Resume' : 'Pause'}
        </button>
      )}
      {canPause && isPaused && (
        <button type="button" class="btn bare" onClick={() => ask('pause')}>
          End of pause…
        </button>
      )}
      {can('jobs:write') && (
        <>
          <Go to={toDefinition} class="btn">
            <Icon name="edit" /> Edit
          </Go>
          <Go to={`/jobs/~new?from=${encodeURIComponent(job.jobId)}`} class="btn bare">
            Duplicate
          </Go>
          <button type="button" class="btn bare danger" onClick={() => ask('delete')}>
            Delete…
          </button>
        </>
      )}
    </>
  );
}

/** Says what was done to a job, once its pages have been read again. `undo` takes it back. */
async function sayDone(jobId: string, words: string, undo?: () => Promise<unknown>): Promise<void> {
  const refreshAll = () =>
    Promise.all([refresh('job'), refresh('jobs'), refresh('ledger'), refresh('upcoming')]);
  const takeBack = async () => {
    await undo!();
    await refreshAll();
    return `${jobId} is as it was.`;
  };
  await refreshAll();
  say(words, 'good', undo && takeBack);
}

function Asking({ asked, job, onClose }: { asked: Asked; job: JobWithEtag; onClose(): void }) {
  const go = useGo();
  const { jobId } = job;
  const done = async (words: string, undo?: () => Promise<unknown>): Promise<undefined> => {
    onClose();
    await sayDone(jobId, words, undo);
  };
  switch (asked) {
    case 'run':
      return <RunDialog job={job} onClose={onClose} onRun={(execId) => go(paths.execution(jobId, execId))} />;
    case 'pause':
      return (
        <PauseDialog
          onClose={onClose}
          job={job}
          pause={async (note, until) => {
            await call((api) => api.jobs.pause(jobId, { note, until }));
            return done(`${jobId} is paused.`, () =>
              call((api) =>
                job.status === 'paused'
                  ? api.jobs.pause(jobId, { until: job.pausedUntil })
                  : api.jobs.resume(jobId),
              ),
            );
          }}
        />
      );
    case 'resume':
      return (
        <ResumeDialog
          job={job}
          onClose={onClose}
          resume={async (note) => {
            await call((api) => api.jobs.resume(jobId, { note }));
            return done(`${jobId} is active. Nothing is made up for.`);
          }}
        />
      );
    case 'delete':
      return (
        <DeleteDialog
          jobId={jobId}
          onClose={onClose}
          remove={async () => {
            await call((api) => api.jobs.delete(jobId));
            go('/jobs');
            const { changeNumber, createdAt } = job;
            return done(`${jobId} is deleted.`, () =>
              call((api) => api.changes.restore(jobId, changeNumber, { createdAt })),
            );
          }}
        />
      );
    case undefined:
      return null;
  }
}
