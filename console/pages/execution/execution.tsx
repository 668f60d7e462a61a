import { useEffect } from 'preact/hooks';

import { type Execution as Exec, isTerminal } from '../../../client/browser';
import { isBackfill } from '../../api/backfills';
import { useExecution } from '../../api/executions';
import { useJob } from '../../api/jobs';
import { useMe } from '../../api/project';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { now } from '../../app/now';
import { later } from '../../app/page';
import { place } from '../../app/place';
import { scheduleZone } from '../../app/zone';
import { AttemptTimeline } from '../../draw/attempts';
import { askedMs, timelineOf } from '../../draw/timeline';
import { Card, Legend, Title } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { ProgressLine } from '../../parts/progress-line';
import { LabelFacts } from './label-facts';
import { attemptText, reasonText } from '../../parts/reason';
import { begunAt, paceText, tookMs } from '../../parts/took';
import { Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { isRunnable } from '../../parts/target-text';
import { zoneOf } from '../../planning/short-form';
import { DAY_MS, duration, plural } from '../../time/format';
import { ExecutionActions } from './actions';
import { ErrandFact, serviceOf } from './errand-fact';
import { Attempts } from './attempts-table';
import { Request } from './request';
import { LogCard } from './log-card';
import { RunFacts } from './run-facts';
import { SameAnswer } from './same-answer';

const Run = later(async () => (await import('../run/run')).default, 640);

interface ExecutionProps {
  jobId: string;
  execId: string;
}

export default function Execution({ jobId, execId }: ExecutionProps) {
  const execution = useExecution(jobId, execId);
  const { data: job } = useJob(jobId);
  const zone = job ? zoneOf(job.schedule) : undefined;
  useEffect(() => {
    scheduleZone.value = zone;
  }, [zone]);
  const isDates = execution.data !== undefined && isBackfill(execution.data);
  const isRun = !isDates && execution.data?.workflow !== undefined;
  const [list, listName] = isDates
    ? ['/backfills', 'Backfills']
    : isRun
      ? ['/workflows', 'Workflows']
      : ['/jobs', 'Jobs'];
  useEffect(() => {
    place.value = list === '/jobs' ? undefined : list;
  }, [list]);
  return (
    <>
      <div class="crumbs">
        <Go to={list}>{listName}</Go> <span>/</span>
        <Go to={isRun ? paths.workflow(jobId) : paths.job(jobId, isDates ? 'backfills' : '')} class="mono">
          {jobId}
        </Go>
        <span>/</span> <span class="mono">{execId}</span>
        {execution.data?.parent && <Parent parent={execution.data.parent} />}
      </div>
      <Loaded query={execution} height={640}>
        {(found) =>
          found.workflow || isDates ? (
            <Run execution={found} />
          ) : (
            <Found execution={found} canRun={isRunnable(job)} />
          )
        }
      </Loaded>
    </>
  );
}

/** The task of a run that has started this execution. */
const Parent = ({ parent: { jobId, execId, taskId } }: { parent: NonNullable<Exec['parent']> }) => (
  <span>
    · started by{' '}
    <Go to={`${paths.execution(jobId, execId)}?task=${encodeURIComponent(taskId)}`} class="mono">
      {jobId} / {taskId}
    </Go>
  </span>
);

function Found({ execution, canRun }: { execution: Exec; canRun: boolean }) {
  const { data: job } = useJob(execution.jobId);
  // What a target says of a failure is long, and the first thing that is read.
  const isFailed = execution.status === 'failed';
  return (
    <>
      <Title
        sub={<Story execution={execution} />}
        actions={<ExecutionActions execution={execution} canRun={canRun} />}
      >
        Due <Instant at={execution.dueAt} /> <Mark status={execution.status} size={18} />
      </Title>
      <TimelineCard execution={execution} />
      <div class="exec-grid">
        <div class="stack">
          {isFailed && <Response execution={execution} />}
          <Attempts execution={execution} maxAttempts={job?.retry.maxAttempts} />
          <LogCard execution={execution} job={job} />
          <SameAnswer execution={execution} />
        </div>
        <div class="stack">
          {!isFailed && <Response execution={execution} />}
          <Request execution={execution} job={job} />
          <Facts execution={execution} />
        </div>
      </div>
    </>
  );
}

/** How it went, in one line. */
function Story({ execution }: { execution: Exec }) {
  const { status, reason, latenessMs, attempts, finishedAt, dueAt, heldAt } = execution;
  const isAhead = status === 'scheduled' || (status === 'queued' && Date.parse(dueAt) > now.value);
  const tries = Math.max(0, ...attempts.map(({ attempt }) => attempt));
  const took = tookMs(execution);
  const isRetried = begunAt(execution) !== execution.startedAt;
  const parts = [
    reason && reasonText(reason),
    tries > 0 && `${plural(tries, 'attempt')}`,
    latenessMs !== null &&
      `started ${duration(latenessMs)} after it was ${askedMs(execution) === undefined ? 'due' : 'asked for'}`,
    took !== undefined && `took ${duration(took)}${isRetried ? ' since it was retried' : ''}`,
    paceText(execution),
    execution.errand?.since && !isTerminal(execution) && `runs at ${serviceOf(execution.errand)}`,
    heldAt && `held for ${duration(Math.max(0, now.value - Date.parse(heldAt)))}: the job is paused`,
    !isTerminal(execution) && !isAhead && 'not ended yet',
  ].filter(Boolean);
  return (
    <>
      {parts.join(' · ')}
      {finishedAt ? (
        <>
          {' '}
          · ended <Relative at={finishedAt} />
        </>
      ) : isAhead ? (
        <>
          {parts.length > 0 && ' · '}due <Relative at={dueAt} />
        </>
      ) : null}
    </>
  );
}

function TimelineCard({ execution }: { execution: Exec }) {
  const timeline = timelineOf(
    execution,
    isTerminal(execution) ? Date.parse(execution.finishedAt ?? execution.dueAt) : now.value,
    attemptText,
  );
  return (
    <Card
      part="timeline"
      title="Timeline"
      more={
        <Legend
          items={[
            ['running', 'lease'],
            ['succeeded', 'call that succeeded'],
            ['failed', 'call that failed'],
            ['hatch', 'pause, folded where longer than 12 s'],
          ]}
        />
      }
    >
      {timeline.spans.length === 0 ? (
        <p class="quiet">Nothing was called{isTerminal(execution) ? '.' : ' yet.'}</p>
      ) : (
        <div class="scroll" tabIndex={0} role="region" aria-label="Timeline">
          <AttemptTimeline timeline={timeline} />
        </div>
      )}
    </Card>
  );
}

/** What the target answered last: always as text. */
function Response({ execution: { result, attempts } }: { execution: Exec }) {
  if (!result) return null;
  const last = attempts.at(-1);
  return (
    <Card
      part="response"
      title="Response"
      more={[result.statusCode, last && `attempt ${last.attempt}`].filter(Boolean).join(' · ')}
    >
      <pre class="code" tabIndex={0} role="region" aria-label="Text of the response">
        {result.body ?? 'no body'}
      </pre>
      <p class="quiet">The first 256 bytes; of a failure the first 2 KB.</p>
    </Card>
  );
}

/** The work queue of an execution for workers. */
function QueueFact({ detail }: Pick<Exec, 'detail'>) {
  if (detail?.queue === undefined) return null;
  return (
    <>
      <dt>Work queue</dt>
      <dd>
        <Go to={paths.queue(detail.queue)}>{detail.queue}</Go>
        {detail.offeredAt && (
          <>
            , offered <Instant at={detail.offeredAt} show="full" />
          </>
        )}
      </dd>
    </>
  );
}

/** Where the work of an attempt is, if not at a target that is called. */
const WorkFacts = ({ detail, errand }: Pick<Exec, 'detail' | 'errand'>) => (
  <>
    <QueueFact detail={detail} />
    <ErrandFact errand={errand} />
  </>
);

const SlotFact = ({ concurrencyKey }: Pick<Exec, 'concurrencyKey'>) =>
  concurrencyKey ? (
    <>
      <dt>Concurrency key</dt>
      <dd>
        <code>{concurrencyKey}</code>
      </dd>
    </>
  ) : null;

function Facts({ execution }: { execution: Exec }) {
  const { orderingKey, concurrencyKey, heartbeatAt, progress, status, detail, skipped } = execution;
  const { blocksKey, dueAt } = execution;
  const { data: me } = useMe();
  return (
    <Card part="facts" title="Facts">
      <dl class="facts">
        <RunFacts execution={execution} />
        {skipped && (
          <>
            <dt>Skipped</dt>
            <dd>
              {plural(skipped.count, 'occurrence')}, <Instant at={skipped.from} /> to{' '}
              <Instant at={skipped.to} />
            </dd>
          </>
        )}
        <LabelFacts execution={execution} />
        <WorkFacts detail={detail} errand={execution.errand} />
        {orderingKey && (
          <>
            <dt>Ordering key</dt>
            <dd>
              <Go to={paths.key(orderingKey)}>{orderingKey}</Go>
              {blocksKey && <span class="late"> blocks those behind it</span>}
            </dd>
          </>
        )}
        <SlotFact concurrencyKey={concurrencyKey} />
        {progress && (
          <>
            <dt>Progress</dt>
            <dd>
              <ProgressLine progress={progress} />
            </dd>
          </>
        )}
        {status === 'running' && heartbeatAt && (
          <>
            <dt>Last heartbeat</dt>
            <dd>
              <Instant at={heartbeatAt} show="sec" /> (<Relative at={heartbeatAt} />)
            </dd>
          </>
        )}
        {me && (
          <>
            <dt>Kept until</dt>
            <dd>
              about <Instant at={Date.parse(dueAt) + me.retentionDays * DAY_MS} show="day" />
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}
