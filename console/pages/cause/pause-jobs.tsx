import { useState } from 'preact/hooks';

import { type Bulk, bulkOfItems } from '../../api/bulk';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan } from '../../api/project';
import { BulkDialog } from '../../parts/bulk-dialog';
import { Dialog, DialogActions, Form } from '../../parts/dialog';
import { Icon } from '../../parts/icons';
import { plural } from '../../time/format';

interface PauseJobsProps {
  jobIds: readonly string[];
  /** There are no others. */
  isAll: boolean;
}

/** Pauses the jobs of a cause, so that they fail no more until a user resumes them. */
export function PauseJobs({ jobIds, isAll }: PauseJobsProps) {
  const [isAsked, ask] = useState(false);
  const [bulk, setBulk] = useState<Bulk>();
  const can = useCan();
  const title = `Pause ${plural(jobIds.length, 'job')}`;
  const close = () => {
    setBulk(undefined);
    ask(false);
  };
  if (!can('runs:operate') || jobIds.length === 0) return null;
  return (
    <>
      <button type="button" class="btn small" onClick={() => ask(true)}>
        <Icon name="pause" size={14} /> {title}…
      </button>
      {isAsked && !bulk && (
        <Dialog title={`${title}?`} part="pause-cause" onClose={close}>
          <Form
            onSubmit={() =>
              setBulk(
                bulkOfItems({
                  title,
                  items: jobIds,
                  nameOf: (jobId) => jobId,
                  act: (jobId) => call((api) => api.jobs.pause(jobId)),
                }),
              )
            }
          >
            <p>
              Paused jobs do not fire. What falls due meanwhile is recorded as skipped.
              {!isAll && ' There may be other jobs: those of the newest executions are paused.'}
            </p>
            <DialogActions submit={title} onClose={close} />
          </Form>
        </Dialog>
      )}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          onClose={() => {
            void refresh('jobs');
            close();
          }}
        />
      )}
    </>
  );
}
