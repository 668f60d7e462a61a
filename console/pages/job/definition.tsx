import { useState } from 'preact/hooks';

import type { JobDefinition, JobWithEtag } from '../../../client/browser';
import { useCan } from '../../api/project';
import { useQueryValues } from '../../app/go';
import { COPIES } from '../../editor/copies';
import { ConflictDialog } from '../../editor/conflict-dialog';
import { definitionOf } from '../../editor/definition';
import { DefinitionForm } from '../../editor/definition-form';
import { WorkflowPreview } from '../../editor/workflow-preview';
import { type EditConflict, saveDefinition } from '../../editor/save';
import { Card, Note, Segments } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Icon } from '../../parts/icons';
import { JsonField, jsonProblem } from '../../parts/json-field';
import { fieldProblem, wordsOf } from '../../parts/problem';
import { say } from '../../parts/toast';

/** The definition of a job as a form and as JSON. Saving checks that it was not changed meanwhile. */
export function Definition({ job }: { job: JobWithEtag }) {
  const { query, put } = useQueryValues();
  const isJson = query.get('as') === 'json';
  const editing = useEditing(job);
  const { draft, text, conflict, error } = editing;
  const can = useCan();
  return (
    <Card
      part="definition"
      title="Definition"
      more={
        <Segments
          label="Show as"
          value={isJson ? 'json' : 'form'}
          options={[
            ['form', 'Form'],
            ['json', 'JSON'],
          ]}
          onChange={(one) => put({ as: one === 'json' ? 'json' : '' })}
        />
      }
    >
      <form
        class="form narrow-form"
        onSubmit={(event) => {
          event.preventDefault();
          void editing.save();
        }}
      >
        <fieldset class="form" disabled={!can('jobs:write')}>
          {isJson ? (
            <JsonField label="Definition" value={text} onChange={editing.setText} rows={26} />
          ) : (
            <DefinitionForm
              key={editing.version}
              definition={draft}
              onChange={editing.setDraft}
              problem={(path) => fieldProblem(error, path)}
            />
          )}
        </fieldset>
        {error !== undefined && (
          <Note tone="bad" icon={<Icon name="failures" />}>
            {wordsOf(error)}
          </Note>
        )}
        <Buttons job={job} editing={editing} mayWrite={can('jobs:write')} />
      </form>
      <WorkflowPreview workflow={draft.workflow} />
      {conflict && (
        <ConflictDialog conflict={conflict} onClose={editing.closeConflict} onTake={editing.goOnWith} />
      )}
    </Card>
  );
}

interface ButtonsProps {
  job: JobWithEtag;
  editing: ReturnType<typeof useEditing>;
  mayWrite: boolean;
}

function Buttons({ job, editing, mayWrite }: ButtonsProps) {
  const { draft, text, isChanged, isBusy } = editing;
  return (
    <p class="acts">
      {mayWrite && (
        <button class="btn first" disabled={!isChanged || isBusy || jsonProblem(text) !== undefined}>
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

/** The draft, once as an object and once as text, and what the API said about it. */
function useEditing(job: JobWithEtag) {
  const [read, setRead] = useState(job);
  const [draft, setDraft] = useState(() => definitionOf(job));
  const [text, setText] = useState(() => JSON.stringify(definitionOf(job), null, 2));
  const [version, setVersion] = useState(0);
  const [conflict, setConflict] = useState<EditConflict>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const change = (definition: JobDefinition) => {
    setDraft(definition);
    setText(JSON.stringify(definition, null, 2));
    setError(undefined);
  };
  const take = (definition: JobDefinition) => {
    change(definition);
    setVersion(version + 1);
  };
  const save = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const found = await saveDefinition(read, JSON.parse(text) as JobDefinition);
      setConflict(found);
      if (!found) say('The definition is saved.');
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return {
    draft,
    text,
    version,
    conflict,
    error,
    isBusy,
    isChanged: text !== JSON.stringify(definitionOf(job), null, 2),
    setDraft: change,
    setText(changed: string) {
      setText(changed);
      if (jsonProblem(changed) === undefined) setDraft(JSON.parse(changed) as JobDefinition);
    },
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
