import { useEffect, useState } from 'preact/hooks';

import type { JobDefinition } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan, useMe } from '../../api/project';
import { paths } from '../../app/address';
import { Go, useGo, useQueryValues } from '../../app/go';
import { place } from '../../app/place';
import { definitionOf, NEW_JOB, NEW_WORKFLOW } from '../../editor/definition';
import { DefinitionForm } from '../../editor/definition-form';
import { PreviewCard } from '../../editor/preview-card';
import { WorkflowPreview } from '../../editor/workflow-preview';
import { draftOf, type ScheduleDraft, scheduleOf, zoneOfDraft } from '../../editor/schedule-draft';
import { ScheduleForm } from '../../editor/schedule-form';
import { Labelled } from '../../parts/labelled';
import { usePreview } from '../../editor/use-preview';
import { Card, Note, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { say } from '../../parts/toast';
import { startOfDate } from '../../time/format';

/** A new job: from nothing, or with the definition of another. */
export default function NewJob() {
  const { query } = useQueryValues();
  const can = useCan();
  const { data: me } = useMe();
  const from = query.get('from');
  const isWorkflow = query.get('kind') === 'workflow';
  useEffect(() => {
    place.value = isWorkflow ? '/workflows' : undefined;
  }, [isWorkflow]);
  const [definition, setDefinition] = useState<JobDefinition | undefined>(
    from !== null ? undefined : isWorkflow ? NEW_WORKFLOW : NEW_JOB,
  );
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (from === null) return;
    call((api) => api.jobs.get(from)).then((job) => setDefinition(definitionOf(job)), setError);
  }, [from]);
  return (
    <>
      <div class="crumbs">
        {isWorkflow ? <Go to="/workflows">Workflows</Go> : <Go to="/jobs">Jobs</Go>} <span>/</span>{' '}
        <span>new</span>
      </div>
      <Title sub={from === null ? undefined : `with the definition of ${from}`}>
        {isWorkflow ? 'New workflow' : 'New job'}
      </Title>
      {!me ? null : !can('jobs:write') ? (
        <p>To create a job needs the scope jobs:write.</p>
      ) : error !== undefined ? (
        <p role="alert">{wordsOf(error)}</p>
      ) : (
        definition && <Form initial={definition} />
      )}
    </>
  );
}

function Form({ initial }: { initial: JobDefinition }) {
  const [jobId, setJobId] = useState('');
  const [definition, setDefinition] = useState(initial);
  const [schedule, setSchedule] = useState(() => draftOf(initial.schedule));
  const [from, setFrom] = useState('');
  const start = from ? new Date(startOfDate(from, zoneOfDraft(schedule))).toISOString() : undefined;
  const preview = usePreview(schedule, start);
  const { create, forget, error, isBusy } = useCreate();
  useEffect(forget, [definition]); // what was wrong with another definition says nothing of this one
  const problem = (path: string) => fieldProblem(error, path);
  return (
    <form
      class="edit-grid"
      data-part="new-job"
      onSubmit={(event) => {
        event.preventDefault();
        void create(jobId, definition, schedule);
      }}
    >
      <Card part="new-definition" title="Definition">
        <div class="form">
          <Labelled text="Id" hint="made by the API if it is empty" wrong={problem('jobId')}>
            <input
              class="field"
              value={jobId}
              spellcheck={false}
              placeholder="invoice-reminder-42"
              onInput={(event) => setJobId(event.currentTarget.value)}
            />
          </Labelled>
          <DefinitionForm definition={definition} onChange={setDefinition} problem={problem} />
          {error !== undefined && <Wrong error={error} />}
          <p class="acts">
            <button class="btn first" disabled={isBusy}>
              Create
            </button>
          </p>
        </div>
      </Card>
      <div class="stack">
        <WorkflowPreview workflow={definition.workflow} />
        <Card part="new-schedule" title="Schedule">
          <ScheduleForm
            draft={schedule}
            onChange={setSchedule}
            problem={(field) =>
              fieldProblem(preview.error ?? error, field ? `schedule.${field}` : 'schedule')
            }
          />
          {preview.data && preview.error === undefined && (
            <p class="words after">{preview.data.description}</p>
          )}
        </Card>
        <PreviewCard preview={preview.data} from={from} onFrom={setFrom} />
      </div>
    </form>
  );
}

const Wrong = ({ error }: { error: unknown }) => (
  <Note tone="bad" icon={<Icon name="failures" />}>
    <span role="alert">{wordsOf(error)}</span>
  </Note>
);

function useCreate() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  // One key for all tries of one definition: a lost answer does not make a second job.
  const [tried, setTried] = useState({ body: '', idempotencyKey: '' });
  const go = useGo();
  const create = async (jobId: string, definition: JobDefinition, schedule: ScheduleDraft) => {
    setBusy(true);
    setError(undefined);
    try {
      const job = { ...definition, schedule: scheduleOf(schedule), ...(jobId && { jobId }) };
      const body = JSON.stringify(job);
      const idempotencyKey = tried.body === body ? tried.idempotencyKey : crypto.randomUUID();
      setTried({ body, idempotencyKey });
      const made = await call((api) => api.jobs.create(job, { idempotencyKey }));
      void refresh('jobs');
      say(`${made.jobId} is created.`);
      go(paths.job(made.jobId));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { create, forget: () => setError(undefined), error, isBusy };
}
