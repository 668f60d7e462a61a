import type { WorkflowCheck, WorkflowCheckRequest } from '../../../client/browser';
import { JsonField } from '../../parts/json-field';
import { plural } from '../../time/format';

type SampleRun = Pick<WorkflowCheckRequest, 'params' | 'outputs' | 'dueAt'>;

export const EMPTY_SAMPLE = JSON.stringify({ params: {}, outputs: {} }, null, 2);

/** The sample that is typed. Throws a `SyntaxError` if it is no JSON. */
export const sampleOf = (text: string): SampleRun =>
  text.trim() === '' ? {} : (JSON.parse(text) as SampleRun);

interface SampleProps {
  sample: string;
  onChange(sample: string): void;
  checked: WorkflowCheck | undefined;
  wrong: string | undefined;
}

/** What each task would get, in a run with these parameters and outputs. Nothing is called. */
export const Sample = ({ sample, onChange, checked, wrong }: SampleProps) => (
  <details class="sample" data-part="workflow-sample">
    <summary>What would each task get?</summary>
    <div class="workflow-editor">
      <JsonField
        label="Sample of a run"
        hint="params, outputs by task, dueAt; nothing is called"
        value={sample}
        rows={8}
        onChange={onChange}
      />
      <div class="stack">
        {wrong && <p class="wrong">{wrong}</p>}
        {checked &&
          (checked.errors.length > 0 ? (
            <p class="quiet">It is shown once nothing is wrong.</p>
          ) : (
            <Got checked={checked} />
          ))}
      </div>
    </div>
  </details>
);

const Got = ({ checked: { levels, rendered, unrendered, output, estimate } }: { checked: WorkflowCheck }) => (
  <>
    <dl class="facts">
      {levels.flat().map((taskId) => (
        <>
          <dt class="mono">{taskId}</dt>
          <dd>
            {Object.hasOwn(rendered, taskId) ? (
              <pre class="code">{JSON.stringify(rendered[taskId], null, 2)}</pre>
            ) : (
              <span class="quiet">{unrendered[taskId] ?? 'nothing: it calls nothing'}</span>
            )}
          </dd>
        </>
      ))}
      {output !== undefined && (
        <>
          <dt>The run returns</dt>
          <dd>
            <pre class="code">{JSON.stringify(output, null, 2)}</pre>
          </dd>
        </>
      )}
    </dl>
    {estimate && (
      <p class="quiet">
        A run whose tasks succeed at once: {plural(estimate.writes, 'write')}, ${estimate.dollars.toFixed(6)}.
      </p>
    )}
  </>
);
