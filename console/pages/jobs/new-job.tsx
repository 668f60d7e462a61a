import { useEffect, useState } from 'preact/hooks';

import type { JobDefinition } from '../../../client/browser';
import { call } from '../../api/client';
import { refresh } from '../../api/polling';
import { useCan, useMe } from '../../api/project';
import { Go, useGo, useQueryValues } from '../../app/go';
import { place } from '../../app/place';
import { definitionOf, NEW_JOB, NEW_WORKFLOW } from '../../editor/definition';
import { DefinitionForm } from '../../editor/form/definition-form';
import type { ProblemAt } from '../../editor/form/text-input';
import { JobJson } from '../../editor/form/job-json';
import { typedZone } from '../../editor/minutes';
import { PreviewCard } from '../../editor/preview-card';
import { Refused } from '../../editor/form/refused';
import { WorkflowEditor } from '../../editor/later-workflow-editor';
import { forgetText } from '../../editor/workflow/kept-text';
import { ScheduleForm } from '../../editor/form/schedule-form';
import { Labelled } from '../../parts/labelled';
import { usePreview } from '../../editor/use-preview';
import { Card, Title } from '../../parts/card';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { say } from '../../parts/toast';
import { startOfDate } from '../../time/format';
import { createAndTest, createJob, type NewJobBody } from './create-job';

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
  const can = useCan();
  const [jobId, setJobId] = useState('');
  const [definition, setDefinition] = useState(initial);
  const [from, setFrom] = useState('');
  const { schedule } = definition;
  const start = from ? new Date(startOfDate(from, typedZone(schedule))).toISOString() : undefined;
  const preview = usePreview(schedule, start);
  const { create, forget, error, isBusy } = useCreate();
  useEffect(forget, [definition, jobId]); // what was wrong with another definition says nothing of this one
  const problem: ProblemAt = (path, which) => fieldProblem(error, path, which);
  return (
    <form
      class="edit-grid"
      data-part="new-job"
      onSubmit={(event) => {
        event.preventDefault();
        const isTest = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'test';
        void create({ ...definition, ...(jobId.trim() && { jobId: jobId.trim() }) }, isTest);
      }}
    >
      <Workflow initial={initial} definition={definition} onChange={setDefinition} />
      <Card part="new-definition" title="Definition">
        <div class="form">
          <Labelled text="Id" hint="made by the API if it is empty" wrong={problem('jobId')}>
            <input
              class="field"
              value={jobId}
              spellcheck={false}
              placeholder="invoice-reminder-42"
              aria-invalid={problem('jobId') !== undefined}
              onInput={(event) => setJobId(event.currentTarget.value)}
            />
          </Labelled>
          <DefinitionForm definition={definition} onChange={setDefinition} problem={problem} />
          <Refused error={error} />
          <Buttons isBusy={isBusy} mayRun={can('runs:operate')} />
        </div>
      </Card>
      <div class="stack">
        <Card part="new-schedule" title="Schedule">
          <ScheduleForm
            schedule={schedule}
            onChange={(changed) => setDefinition({ ...definition, schedule: changed })}
            problem={(path, which) => fieldProblem(preview.error ?? error, path, which)}
          />
          {preview.data && preview.error === undefined && (
            <p class="words after">{preview.data.description}</p>
          )}
        </Card>
        <PreviewCard preview={preview.data} from={from} onFrom={setFrom} />
        <JobJson definition={definition} onChange={setDefinition} rows={14} />
      </div>
    </form>
  );
}

interface WorkflowProps {
  initial: JobDefinition;
  definition: JobDefinition;
  onChange(change: (old: JobDefinition) => JobDefinition): void;
}

const Workflow = ({ initial, definition, onChange }: WorkflowProps) =>
  definition.workflow ? (
    <WorkflowEditor
      workflow={definition.workflow}
      saved={initial.workflow}
      schedule={definition.schedule}
      onChange={(workflow) => onChange((old) => ({ ...old, workflow }))}
    />
  ) : null;

const Buttons = ({ isBusy, mayRun }: { isBusy: boolean; mayRun: boolean }) => (
  <div class="acts">
    <button class="btn first" disabled={isBusy}>
      Create
    </button>
    {mayRun && (
      <>
        <button class="btn" value="test" disabled={isBusy} aria-describedby="what-a-test-is">
          Save paused and run once
        </button>
        <p class="quiet" id="what-a-test-is">
          To test it: one run, now. The schedule begins when you resume the job.
        </p>
      </>
    )}
  </div>
);

function useCreate() {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  // One key for all tries of one definition: a lost answer does not make a second job.
  const [tried, setTried] = useState({ body: '', idempotencyKey: '' });
  const go = useGo();
  const create = async (job: NewJobBody, isTest: boolean) => {
    setBusy(true);
    setError(undefined);
    try {
      // A test begins with a job that has no schedule yet.
      const body = JSON.stringify({ ...job, ...(isTest && { schedule: 'later' }) });
      const idempotencyKey = tried.body === body ? tried.idempotencyKey : crypto.randomUUID();
      setTried({ body, idempotencyKey });
      const address = await (isTest ? createAndTest : createJob)(job, idempotencyKey);
      forgetText();
      void refresh('jobs');
      say(isTest ? 'The job is paused. This is its one run.' : 'The job is created.');
      go(address);
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return { create, forget: () => setError(undefined), error, isBusy };
}
