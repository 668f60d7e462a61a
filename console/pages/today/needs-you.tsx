import { useState } from 'preact/hooks';

import type {
  DeploymentStatus,
  Execution,
  FailureGroups,
  JobSummary,
  Waiting as Waits,
} from '../../../client/browser';
import { call } from '../../api/client';
import { isBehind, useDeployment } from '../../api/deployment';
import { useBlocking, useFailureGroups } from '../../api/failures';
import { INBOX } from '../../api/failures-filter';
import { usePausedJobs } from '../../api/jobs';
import { type Polled, refresh } from '../../api/polling';
import { useNext } from '../../api/planned';
import { useCan, useUsage } from '../../api/project';
import { useWaiting } from '../../api/waiting';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { now } from '../../app/now';
import { useAction } from '../../parts/action';
import { Icon, type IconName } from '../../parts/icons';
import { Instant, Relative, Since } from '../../parts/instant';
import { Loaded } from '../../parts/states';
import { count, DAY_MS, plural } from '../../time/format';
import { type FailureGroup, withCounts } from '../failures/groups';
import { RetryDialog } from '../failures/later-retry';
import { Waiting } from './waiting';

const MOST_GROUPS = 3;
const LONG_PAUSE_MS = 7 * DAY_MS;

interface Needs {
  failures: Polled<FailureGroups>;
  waiting: Polled<Waits[]>;
  blocking: Polled<Execution[]>;
  paused: Polled<JobSummary[]>;
  /** Admins see it alone. */
  deployment: Polled<DeploymentStatus> | undefined;
}

/** What the section is drawn from. */
export function useNeeds(): Needs {
  const isAdmin = useCan()('admin');
  const deployment = useDeployment(120_000, isAdmin);
  return {
    failures: useFailureGroups(INBOX, 30_000),
    waiting: useWaiting(),
    blocking: useBlocking(),
    paused: usePausedJobs(),
    deployment: isAdmin ? deployment : undefined,
  };
}

interface NeedsYouProps {
  needs: Needs;
  /** Executions since midnight; undefined while they are not known. */
  ended: number | undefined;
}

/** Approvals and paused runs, failures with one cause, blocked keys, forgotten pauses, shards behind. */
export function NeedsYou({ needs, ended }: NeedsYouProps) {
  const { failures, waiting, blocking, paused: pausedJobs, deployment } = needs;
  const waits = waiting.data ?? [];
  const blocked = blockedKeys(blocking.data ?? []);
  const behind = (deployment?.data?.scan.shards ?? []).filter(({ lagSec }) => isBehind(lagSec));
  return (
    <section aria-label="What needs you" data-part="needs-you">
      {waiting.error && <Loaded query={waiting}>{() => null}</Loaded>}
      {waits.length > 0 && <Waiting items={waits} />}
      <Loaded query={failures}>
        {({ groups: counted }) => {
          const groups = withCounts(
            [],
            counted.filter(({ status, ack }) => status === 'failed' && ack === null),
          ).slice(0, MOST_GROUPS);
          const paused = longPaused(pausedJobs.data ?? []);
          if (groups.length + blocked.length + paused.length + behind.length === 0)
            return waits.length > 0 ? null : <Nothing ended={ended} />;
          return (
            <div class="needs">
              {groups.map((group) => (
                <CauseAlert key={group.key} group={group} />
              ))}
              {blocked.map((one) => (
                <KeyAlert key={one.orderingKey} execution={one} />
              ))}
              {paused.length > 0 && <PausedAlert jobs={paused} />}
              {behind.length > 0 && <BehindAlert shards={behind} />}
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The failures that hold an ordering key, one for each key. */
const blockedKeys = (items: readonly Execution[]): Execution[] =>
  [...new Map(items.map((one) => [one.orderingKey, one])).values()].slice(0, MOST_GROUPS);

const longPaused = (jobs: readonly JobSummary[]): JobSummary[] =>
  jobs.filter(({ updatedAt }) => now.value - Date.parse(updatedAt) > LONG_PAUSE_MS);

function Nothing({ ended }: { ended: number | undefined }) {
  const { data } = useNext(20);
  const { data: usage } = useUsage();
  const next = data?.items.find(({ at }) => Date.parse(at) > now.value);
  return (
    <p class="card nothing">
      <Icon name="info" /> Nothing needs you
      {ended !== undefined && `. ${plural(ended, 'execution')} since midnight`}
      {next && (
        <>
          , next at <Instant at={next.at} show="time" />
        </>
      )}
      .
      {usage?.jobs.used === 0 && (
        <>
          {' '}
          There are no jobs yet: <Go to="/jobs">three ways to make one</Go>.
        </>
      )}
    </p>
  );
}

interface AlertProps {
  icon: IconName;
  isBad?: boolean;
  title: preact.ComponentChildren;
  children: preact.ComponentChildren;
  actions: preact.ComponentChildren;
}

const Alert = ({ icon, isBad = false, title, children, actions }: AlertProps) => (
  <article class={`card alert ${isBad ? 'bad' : ''}`}>
    <div>
      <Icon name={icon} />
      <h2>{title}</h2>
    </div>
    <p>{children}</p>
    <p class="acts">{actions}</p>
  </article>
);

function CauseAlert({ group }: { group: FailureGroup }) {
  const [isAsked, ask] = useState(false);
  const can = useCan();
  const n = group.count;
  return (
    <Alert
      icon="failures"
      isBad
      title={
        <>
          {n === 1 ? `${group.latest} failed` : `${count(n)} executions failed the same way since `}
          {n > 1 && <Instant at={group.firstMs} show="recent" />}
        </>
      }
      actions={
        <>
          <Go class="btn small first" to={paths.cause(group.key)}>
            Open {n === 1 ? 'it' : count(n)}
          </Go>
          {can('runs:operate') && (
            <button type="button" class="btn small" onClick={() => ask(true)}>
              Retry {count(n)}…
            </button>
          )}
          {isAsked && <RetryDialog group={group} filter={INBOX} onClose={() => ask(false)} />}
        </>
      }
    >
      {plural(group.jobs, 'job')}: <code>{group.head}</code>
      {group.host && ` from ${group.host}`}
      {group.excerpt && (
        <>
          : <code class="excerpt">{group.excerpt}</code>
        </>
      )}
      , last <Relative at={group.lastMs} />.
    </Alert>
  );
}

function KeyAlert({ execution: { orderingKey, jobId, execId, finishedAt } }: { execution: Execution }) {
  const can = useCan();
  const unblock = useAction(async () => {
    await call((api) => api.unblock(orderingKey!));
    await refresh('failures');
    return `${orderingKey} goes on.`;
  });
  return (
    <Alert
      icon="keys"
      title={
        <>
          Key <code>{orderingKey}</code> is blocked
        </>
      }
      actions={
        <>
          <Go class="btn small" to={paths.key(orderingKey!)}>
            Open
          </Go>
          {can('runs:operate') && (
            <button
              type="button"
              class="btn small"
              disabled={unblock.isBusy}
              onClick={() => void unblock.run()}
            >
              Unblock
            </button>
          )}
        </>
      }
    >
      <Go to={paths.execution(jobId, execId)}>{jobId}</Go> failed{' '}
      {finishedAt && (
        <>
          <Since at={finishedAt} /> ago
        </>
      )}{' '}
      and blocks those behind it.
    </Alert>
  );
}

const BehindAlert = ({ shards }: { shards: DeploymentStatus['scan']['shards'] }) => (
  <Alert
    icon="deployment"
    title={`${plural(shards.length, 'shard')} behind`}
    actions={
      <Go class="btn small" to="/deployment">
        Open
      </Go>
    }
  >
    What they plan is late by up to {Math.max(...shards.map(({ lagSec }) => lagSec ?? 0))} s.
  </Alert>
);

const PausedAlert = ({ jobs }: { jobs: readonly JobSummary[] }) => (
  <Alert
    icon="pause"
    title={`${plural(jobs.length, 'job')} paused for more than a week`}
    actions={
      <Go class="btn small" to="/jobs?status=paused">
        Open
      </Go>
    }
  >
    {jobs
      .slice(0, 3)
      .map(({ jobId }) => jobId)
      .join(', ')}
    {jobs.length > 3 && ' and others'}.
  </Alert>
);
