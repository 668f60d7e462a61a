import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Schedule, Workflow, WorkflowCheckRequest } from '../../../client/browser';
import { call } from '../../api/client';
import { Graph } from '../../draw/graph';
import { Card } from '../../parts/card';
import { wordsOf } from '../../parts/problem';
import { plural } from '../../time/format';
import { useTyped } from '../use-typed';
import { boxesOfWorkflow, drawable } from '../workflow-boxes';
import { CodeField, showPlace } from './code-field';
import { completionAt } from './completion';
import { InsertForm } from './insert-form';
import { insertText } from './insert-text';
import { pathAt, readJson } from './json-text';
import { KeptNote, useKeptText } from './kept-note';
import { type Problem, problemsOf } from './problems';
import { EMPTY_SAMPLE, Sample, sampleOf } from './sample';

interface WorkflowEditorProps {
  workflow: Workflow;
  /** As it was read from the API, or what a new one begins with. */
  saved: unknown;
  /** Whose zone samples have; undefined while it is none. */
  schedule: Schedule | undefined;
  /** Gets each text that is JSON. */
  onChange(workflow: Workflow): void;
}

const PROBLEMS = 'workflow-problems';

/** A workflow as JSON, with what the API says about it while it is typed, and its graph beside it. */
export default function WorkflowEditor({ workflow, saved, schedule, onChange }: WorkflowEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { text, setText, note } = useKeptText(workflow, saved, onChange);
  const [sample, setSample] = useState(EMPTY_SAMPLE);
  const [chosen, choose] = useState<string>();
  const read = useMemo(() => readJson(text), [text]);
  const known = useLastWhole(text, read.fault === undefined);
  const checked = useCheck(read.fault ? undefined : known, schedule, sample);
  const problems = problemsOf(text, read, checked.data?.errors ?? []);
  const show = (at: number): void => showPlace(area.current!, at);
  const goTo = useGoal(text, show);
  const onChoose = (taskId: string): void => {
    choose(taskId);
    const node = read.root.fields?.get('tasks')?.fields?.get(taskId);
    if (node) show(node.from);
  };
  const first = read.fault && problems[0];
  const wrong = checked.error === undefined ? undefined : `Not checked: ${wordsOf(checked.error)}`;
  return (
    <Card part="workflow-editor" title="Workflow" more="tasks that depend on tasks, as JSON">
      {note && <KeptNote note={note} />}
      <InsertForm
        text={text}
        read={read}
        chosen={chosen}
        onInsert={(id, { at, text: added }) => {
          goTo(at + added.indexOf(JSON.stringify(id)));
          insertText(area.current!, added, at, at);
        }}
      />
      <div class="workflow-editor">
        <div class="stack">
          <CodeField
            area={area}
            label="Workflow"
            value={text}
            marked={new Set(problems.map(({ line }) => line))}
            wrong={first ? `Line ${first.line}: ${first.message}` : ''}
            describedBy={PROBLEMS}
            onChange={setText}
            onCaret={(at) => choose(taskAt(pathAt(read.root, at)))}
            complete={(typed, at) => completionAt(typed, at, readJson(typed), known as Partial<Workflow>)}
          />
          <Problems
            problems={problems}
            verdict={wrong ?? (checked.isOfNow ? 'The API finds nothing wrong.' : '')}
            onShow={show}
          />
        </div>
        <Drawn workflow={known} chosen={chosen} onChoose={onChoose} />
      </div>
      <Sample sample={sample} onChange={setSample} checked={checked.data} wrong={wrong} />
    </Card>
  );
}

const taskAt = ([first, taskId]: readonly string[]): string | undefined =>
  first === 'tasks' ? taskId : undefined;

/** The value of the text; while that is no JSON, its last one. */
function useLastWhole(text: string, isWhole: boolean): unknown {
  const last = useRef<unknown>({});
  return useMemo(() => {
    if (isWhole) last.current = JSON.parse(text) as unknown;
    return last.current;
  }, [text, isWhole]);
}

/** Shows a place of the text that is typed next, once its lines are drawn. */
function useGoal(text: string, show: (at: number) => void): (at: number) => void {
  const goal = useRef<number>();
  useLayoutEffect(() => {
    if (goal.current !== undefined) show(goal.current);
    goal.current = undefined;
  }, [text]);
  return (at) => void (goal.current = at);
}

/**
 * What the API says about a workflow and a sample of a run. Until it has answered, the last answer stays.
 *
 * @param workflow undefined while it is no JSON
 */
function useCheck(workflow: unknown, schedule: Schedule | undefined, sample: string) {
  // The types of the API say less of a schedule than those of a job do.
  const asked = workflow === undefined ? undefined : ({ workflow, schedule } as WorkflowCheckRequest);
  const typed = JSON.stringify([asked, sample]);
  const answer = useTyped(typed, async (signal) => {
    const result =
      asked && (await call((api) => api.tasks.check({ ...asked, ...sampleOf(sample) }, { signal })));
    return { typed, result };
  });
  const error = asked && answer.error;
  return { data: answer.data?.result, error, isOfNow: asked && answer.data?.typed === typed };
}

interface ProblemsProps {
  problems: readonly Problem[];
  /** What is said if there are none. */
  verdict: string;
  onShow(at: number): void;
}

/** What is wrong, each with its line. */
const Problems = ({ problems, verdict, onShow }: ProblemsProps) => (
  <div id={PROBLEMS} data-part="workflow-problems">
    <p class="quiet" role="status">
      {problems.length > 0 ? `${plural(problems.length, 'problem')}.` : verdict}
    </p>
    <ul class="problems">
      {problems.map(({ path, message, at, line }) => (
        <li key={`${path} ${message}`}>
          <button type="button" class="link" onClick={() => onShow(at)}>
            Line {line}
          </button>{' '}
          {path && <code>{path}</code>} {message}
        </li>
      ))}
    </ul>
  </div>
);

const AFTER_LAST_KEY_MS = 150;

interface DrawnProps {
  workflow: unknown;
  chosen: string | undefined;
  onChoose(taskId: string): void;
}

/** The graph, a moment after the last key. A text that has none leaves the last one. */
function Drawn({ workflow, chosen, onChoose }: DrawnProps) {
  const [drawn, draw] = useState(() => drawable(workflow));
  useEffect(() => {
    const timer = setTimeout(() => draw((old) => drawable(workflow) ?? old), AFTER_LAST_KEY_MS);
    return () => clearTimeout(timer);
  }, [workflow]);
  if (!drawn) return <p class="quiet">Its graph comes with its tasks.</p>;
  const ids = Object.keys(drawn.tasks);
  return (
    <div data-part="workflow-preview">
      <Graph boxes={boxesOfWorkflow(drawn)} chosen={chosen} onChoose={onChoose} />
      <label class="field choose-task">
        Go to
        <select value={chosen ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
          <option value="">a task</option>
          {ids.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
