import { useState } from 'preact/hooks';

import type { JobDefinition, JobWithEtag } from '../../../client/browser';
import { useCan } from '../../api/project';
import { COPIES } from '../../editor/copies';
import { ConflictDialog } from '../../editor/conflict-dialog';
import { definitionOf } from '../../editor/definition';
import { DefinitionForm } from '../../editor/form/definition-form';
import { WorkflowEditor } from '../../editor/later-workflow-editor';
import { forgetText } from '../../editor/workflow/kept-text';
import { type EditConflict, saveDefinition } from '../../editor/save';
import { JobJson } from '../../editor/form/job-json';
import { Refused } from '../../editor/form/refused';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Form } from '../../parts/dialog';
import { fieldProblem } from '../../parts/problem';
import { say } from '../../parts/toast';

/** The definition of a job as a form and as JSON. Saving checks that it was not changed meanwhile. */
export function Definition({ job }: { job: JobWithEtag }) {
  const editing = useEditing(job);
  const { draft, conflict, error } = editing;
  const can = useCan();
  const mayWrite = can('jobs:write');
  return (
    <Form class="form-grid" onSubmit={editing.save}>
      {draft.workflow && (
        <fieldset class="whole" disabled={!mayWrite}>
          <WorkflowEditor
            workflow={draft.workflow}
            saved={editing.read.workflow}
            schedule={draft.schedule}
            onChange={(workflow) => editing.change({ ...draft, workflow })}
          />
        </fieldset>
      )}
      <Card part="definition" title="Definition">
        <div class="form">
          <fieldset class="form" disabled={!mayWrite}>
            <DefinitionForm
              definition={draft}
              onChange={editing.change}
              problem={(path, which) => fieldProblem(error, path, which)}
            />
          </fieldset>
          <Refused error={error} />
          <Buttons job={job} editing={editing} mayWrite={mayWrite} />
        </div>
      </Card>
      <fieldset disabled={!mayWrite}>
        <JobJson definition={draft} onChange={editing.change} rows={30} />
      </fieldset>
      {conflict && (
        <ConflictDialog conflict={conflict} onClose={editing.closeConflict} onTake={editing.goOnWith} />
      )}
    </Form>
  );
}

interface ButtonsProps {
  job: JobWithEtag;
  editing: ReturnType<typeof useEditing>;
  mayWrite: boolean;
}

function Buttons({ job, editing, mayWrite }: ButtonsProps) {
  const { draft, isChanged, isBusy } = editing;
  return (
    <p class="acts">
      {mayWrite && (
        <button class="btn first" disabled={!isChanged || isBusy}>
          Save
        </button>
      )}
      <span class="quiet">Copy as</span>
      {COPIES.map(([name, textOf]) => (
        <CopyButton key={name} text={() => textOf(job.jobId, draft, location.origin)} small={false}>
          {name}
        </CopyButton>
      ))}
      {isChanged && (
        <button type="button" class="btn bare" onClick={() => editing.take(definitionOf(job))}>
          Discard
        </button>
      )}
    </p>
  );
}

/** The draft, and what the API said about it. */
function useEditing(job: JobWithEtag) {
  const [read, setRead] = useState(job);
  const [draft, setDraft] = useState(() => definitionOf(job));
  const [conflict, setConflict] = useState<EditConflict>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const change = (definition: JobDefinition) => {
    setDraft(definition);
    setError(undefined);
  };
  const take = (definition: JobDefinition) => {
    forgetText();
    change(definition);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const saved = await saveDefinition(read, draft);
      setConflict(saved.conflict);
      if (!saved.conflict) {
        setRead(saved.job);
        forgetText();
        say('The definition is saved.');
      }
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return {
    read,
    draft,
    conflict,
    error,
    isBusy,
    isChanged: JSON.stringify(draft) !== JSON.stringify(definitionOf(job)),
    change,
    take,
    save,
    closeConflict: () => setConflict(undefined),
    goOnWith(definition: JobDefinition) {
      setRead(conflict!.theirs);
      setConflict(undefined);
      take(definition);
    },
  };
}
