import { useState } from 'preact/hooks';

import type { ChangeRecord, JobWithEtag } from '../../../client/browser';
import { call } from '../../api/client';
import { useChanges } from '../../api/jobs';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { ChangeText } from '../../editor/change-text';
import { useAction } from '../../parts/action';
import { Card } from '../../parts/card';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Empty, Loaded } from '../../parts/states';

/** Every change of a job: who made it, when and why, what it changed, and a way back. */
export function Changes({ jobId, job }: { jobId: string; job?: JobWithEtag }) {
  const changes = useChanges(jobId);
  const [asked, setAsked] = useState<ChangeRecord>();
  return (
    <Card part="changes" title="Changes" flush>
      <Loaded query={changes} height={320}>
        {(items) =>
          items.length === 0 ? (
            <Empty title="There are no changes on record.">
              <p>The next save, pause or resume is kept here, and can be taken back.</p>
            </Empty>
          ) : (
            <ol class="changes">
              {items.map((change) => (
                <Change
                  key={`${change.createdAt}-${change.number}`}
                  change={change}
                  isNow={change.number === job?.changeNumber}
                  onRestore={() => setAsked(change)}
                />
              ))}
            </ol>
          )
        }
      </Loaded>
      {asked && <RestoreDialog jobId={jobId} job={job} change={asked} onClose={() => setAsked(undefined)} />}
    </Card>
  );
}

interface ChangeProps {
  change: ChangeRecord;
  isNow: boolean;
  onRestore(): void;
}

function Change({ change, isNow, onRestore }: ChangeProps) {
  const can = useCan();
  return (
    <li>
      <ChangeText change={change} />
      {isNow ? (
        <span class="quiet end">now</span>
      ) : (
        change.definition !== null &&
        can('jobs:write') && (
          <button type="button" class="btn small end" onClick={onRestore}>
            Restore…
          </button>
        )
      )}
    </li>
  );
}

interface RestoreDialogProps {
  jobId: string;
  job: JobWithEtag | undefined;
  change: ChangeRecord;
  onClose(): void;
}

function RestoreDialog({ jobId, job, change, onClose }: RestoreDialogProps) {
  const { number, createdAt } = change;
  const action = useAction(async () => {
    await call((api) => api.changes.restore(jobId, number, { ifMatch: job?.etag, createdAt }));
    await Promise.all([refresh('job'), refresh('changes'), refresh('upcoming'), refresh('ledger')]);
    onClose();
    return `${jobId} is as it was after change ${number}.`;
  });
  return (
    <Dialog title={`Restore change ${number}?`} part="restore-dialog" onClose={onClose} wide>
      <Form onSubmit={action.run}>
        <p>
          {job
            ? 'The job gets this definition. What it has now stays on record as a change.'
            : 'The job is created again with this definition.'}
        </p>
        <pre class="code">{JSON.stringify(change.definition, null, 2)}</pre>
        <DialogActions submit="Restore" disabled={action.isBusy} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
