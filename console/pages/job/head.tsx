import { useState } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo } from '../../app/go';
import { useShortcuts } from '../../app/shortcuts';
import { Tags, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Mark } from '../../parts/status-mark';
import { DeleteDialog, PauseDialog, ResumeDialog, RunDialog } from './dialogs';

const TABS = [
  ['', 'Ledger'],
  ['schedule', 'Schedule'],
  ['definition', 'Definition'],
  ['backfills', 'Backfills'],
  ['changes', 'Changes'],
  ['why', 'Why not?'],
] as const;

type Asked = 'run' | 'pause' | 'resume' | 'delete' | undefined;

/** Name, state, actions and tabs of a job. */
export function JobHead({ job, tab }: { job: JobWithEtag; tab: string }) {
  const { jobId, name, tags, status, priority, pool, retry } = job;
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <div class="crumbs">
        <Go to="/jobs">Jobs</Go> <span>/</span> <span class="mono">{jobId}</span>
      </div>
      <Title
        sub={
          <span class="facts-line">
            <Mark status={status} /> <Tags tags={tags} />
            <span>
              {priority} · pool {pool} · up to {retry.maxAttempts} attempts
            </span>
          </span>
        }
        actions={<Actions job={job} ask={setAsked} />}
      >
        {name ?? jobId}
      </Title>
      <nav class="tabs" aria-label="Views of this job" data-part="tabs">
        {TABS.map(([one, text]) => (
          <Go key={one} to={paths.job(jobId, one)} aria-current={one === tab ? 'page' : undefined}>
            {text}
          </Go>
        ))}
        {job.workflow && <Go to={paths.workflow(jobId)}>Tasks and runs</Go>}
      </nav>
      <Asking asked={asked} job={job} onClose={() => setAsked(undefined)} />
    </>
  );
}

function Actions({ job, ask }: { job: JobWithEtag; ask(what: Asked): void }) {
  const can = useCan();
  const go = useGo();
  const isPaused = job.status === 'paused';
  const toDefinition = paths.job(job.jobId, 'definition');
  const toggle = () => ask(isPaused ? 'resume' : 'pause');
  useShortcuts([
    ...(can('runs:operate') ? [{ keys: 'r', words: 'Run now…', run: () => ask('run') }] : []),
    ...(can('jobs:write') && job.status !== 'completed'
      ? [{ keys: 'p', words: isPaused ? 'Resume…' : 'Pause…', run: toggle }]
      : []),
    ...(can('jobs:write') ? [{ keys: 'e', words: 'Edit', run: () => go(toDefinition) }] : []),
  ]);
  return (
    <>
      {can('runs:operate') && (
        <button type="button" class="btn" onClick={() => ask('run')}>
          <Icon name="run" /> Run now
        </button>
      )}
      {can('jobs:write') && (
        <>
          {job.status !== 'completed' && (
            <button type="button" class="btn" onClick={toggle}>
              <Icon name={isPaused ? 'clock' : 'pause'} /> {isPaused ? 'Resume' : 'Pause'}
            </button>
          )}
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

function Asking({ asked, job, onClose }: { asked: Asked; job: JobWithEtag; onClose(): void }) {
  const go = useGo();
  const { jobId } = job;
  const done = async (words: string): Promise<string> => {
    onClose();
    await Promise.all([refresh('job'), refresh('ledger'), refresh('upcoming')]);
    return words;
  };
  switch (asked) {
    case 'run':
      return <RunDialog job={job} onClose={onClose} onRun={(execId) => go(paths.execution(jobId, execId))} />;
    case 'pause':
      return (
        <PauseDialog
          onClose={onClose}
          pause={async (note) => {
            await call((api) => api.jobs.pause(jobId, { note }));
            return done(`${jobId} is paused.`);
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
            return done(`${jobId} is deleted.`);
          }}
        />
      );
    case undefined:
      return null;
  }
}
