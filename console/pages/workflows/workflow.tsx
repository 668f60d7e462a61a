import { useEffect } from 'preact/hooks';

import type { JobWithEtag } from '../../../client/browser';
import { useJob } from '../../api/jobs';
import { useRuns, useVersion, useVersions } from '../../api/workflows';
import { paths } from '../../app/address';
import { Go, useQueryValues } from '../../app/go';
import { scheduleZone } from '../../app/zone';
import { Graph } from '../../draw/graph';
import { boxesOfWorkflow, type ShownWorkflow } from '../../editor/workflow-boxes';
import { Card, Tags, Title } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { zoneOf } from '../../planning/short-form';
import { useWords } from '../../planning/words';
import { AFTER_FAILURE, wordsFor } from '../../parts/words';
import { plural } from '../../time/format';
import { JobActions } from '../job/actions';
import { RunsGrid } from './runs-grid';
import { TaskCard } from './task-definition';

const RUNS = 10;

/** One workflow: its newest runs task by task, its definition as a graph, and its versions. */
export default function Workflow({ jobId }: { jobId: string }) {
  const job = useJob(jobId);
  const zone = job.data ? zoneOf(job.data.schedule) : undefined;
  useEffect(() => {
    scheduleZone.value = zone;
  }, [zone]);
  return (
    <>
      <div class="crumbs">
        <Go to="/workflows">Workflows</Go> <span>/</span> <span class="mono">{jobId}</span>
      </div>
      <Loaded query={job} height={640}>
        {(found) =>
          found?.workflow ? <Present job={found} /> : <Missing jobId={jobId} isJob={found !== null} />
        }
      </Loaded>
    </>
  );
}

const Missing = ({ jobId, isJob }: { jobId: string; isJob: boolean }) => (
  <>
    <Title>{jobId}</Title>
    <Card part="workflow" flush>
      <Empty title={isJob ? 'This job has no workflow.' : 'There is no such job now.'}>
        <p>
          <Go to={paths.job(jobId)}>Open its ledger</Go>
        </p>
      </Empty>
    </Card>
  </>
);

function Present({ job }: { job: JobWithEtag }) {
  const { jobId, name, status, tags, nextFireAt, schedule } = job;
  const words = useWords();
  return (
    <>
      <Title
        sub={
          <span class="facts-line">
            <Mark status={status} /> <Tags tags={tags} />
            <span>
              {words(schedule)}
              {nextFireAt && (
                <>
                  , next <Relative at={nextFireAt} />
                </>
              )}
            </span>
          </span>
        }
        actions={<JobActions job={job} />}
      >
        {name ?? jobId}
      </Title>
      <p class="story">
        <Go to={paths.job(jobId)}>Ledger, schedule, changes</Go>
      </p>
      <Cards job={job} />
    </>
  );
}

function RunsCard({ jobId }: { jobId: string }) {
  const runs = useRuns(jobId, RUNS);
  return (
    <Card
      part="runs"
      title={`Last ${plural(runs.data?.length ?? RUNS, 'run')}`}
      more="newest at the right"
      flush
    >
      <Loaded query={runs} height={260}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="It has not run yet.">
              <p>Run now starts it.</p>
            </Empty>
          ) : (
            <RunsGrid runs={found.toReversed()} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** Runs, versions, and the graph of the version of now or of the one that the address names. */
function Cards({ job }: { job: JobWithEtag }) {
  const { query, put } = useQueryValues();
  const version = query.get('version') ?? '';
  const chosen = query.get('task') ?? undefined;
  const choose = (taskId: string) => put({ task: taskId === chosen ? '' : taskId });
  return (
    <div class="stack">
      <div class="workflow-grid">
        <RunsCard jobId={job.jobId} />
        <Versions jobId={job.jobId} chosen={version} onChoose={(one) => put({ version: one, task: '' })} />
      </div>
      {version ? (
        <OldGraph jobId={job.jobId} version={version} chosen={chosen} onChoose={choose} />
      ) : (
        <GraphCard workflow={job.workflow!} chosen={chosen} onChoose={choose} />
      )}
    </div>
  );
}

interface ChosenProps {
  chosen: string | undefined;
  onChoose(taskId: string): void;
}

function OldGraph({ jobId, version, ...rest }: ChosenProps & { jobId: string; version: string }) {
  const found = useVersion(jobId, version);
  return (
    <Loaded query={found} height={260}>
      {({ workflow, number }) =>
        workflow && <GraphCard workflow={workflow} title={`Definition, version ${number}`} {...rest} />
      }
    </Loaded>
  );
}

function GraphCard({
  workflow,
  title = 'Definition',
  chosen,
  onChoose,
}: ChosenProps & { workflow: ShownWorkflow; title?: string }) {
  const ids = Object.keys(workflow.tasks);
  const task = chosen === undefined ? undefined : workflow.tasks[chosen];
  const { maxParallel, onTaskFailure = 'continue' } = workflow;
  const limits = maxParallel === undefined ? '' : `, ${maxParallel} at once`;
  return (
    <>
      <Card
        part="graph"
        title={title}
        more={`${plural(ids.length, 'task')}${limits}, after a failure: ${wordsFor(AFTER_FAILURE, onTaskFailure)}`}
      >
        <Graph boxes={boxesOfWorkflow(workflow)} chosen={chosen} onChoose={onChoose} />
        <TaskList ids={ids} chosen={chosen} onChoose={onChoose} />
      </Card>
      {task && <TaskCard taskId={chosen!} task={task} />}
    </>
  );
}

/** What the keyboard reaches in place of the drawing. */
const TaskList = ({ ids, chosen, onChoose }: ChosenProps & { ids: readonly string[] }) => (
  <label class="field choose-task">
    Task
    <select value={chosen ?? ''} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">choose one</option>
      {ids.map((id) => (
        <option key={id}>{id}</option>
      ))}
    </select>
  </label>
);

interface VersionsProps {
  jobId: string;
  chosen: string;
  onChoose(version: string): void;
}

function Versions({ jobId, chosen, onChoose }: VersionsProps) {
  const versions = useVersions(jobId);
  return (
    <Card part="versions" title="Versions" more="that are kept" flush>
      <Loaded query={versions} height={160}>
        {(items) => (
          <ul class="lines">
            {items.map(({ version, number, savedAt, isCurrent }) => (
              <li key={version}>
                <button
                  type="button"
                  class="link"
                  aria-current={(chosen === '' ? isCurrent : chosen === version) ? 'true' : undefined}
                  onClick={() => onChoose(isCurrent ? '' : version)}
                >
                  Version {number}
                </button>
                {isCurrent && <span class="quiet">now</span>}
                <span class="quiet">
                  <Instant at={savedAt} show="day" />
                </span>
              </li>
            ))}
            {items.length === 0 && <li class="quiet">None is kept.</li>}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
