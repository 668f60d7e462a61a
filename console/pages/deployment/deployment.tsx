import { useState } from 'preact/hooks';

import type { DeploymentStatus } from '../../../client/browser';
import { isBehind, useDeployment } from '../../api/deployment';
import { useMe } from '../../api/project';
import { Card, Legend, Note, Title } from '../../parts/card';
import { Icon } from '../../parts/icons';
import { Instant } from '../../parts/instant';
import { Loaded } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { Table } from '../../parts/table';
import { count, plural } from '../../time/format';
import { RedriveDialog, StartDialog, StopDialog } from './dialogs';

type Asked = { is: 'stop' | 'start' } | { is: 'redrive'; queue: string; dead: number } | undefined;

/** For operators: whether the deployment runs and keeps up. */
export default function Deployment() {
  const status = useDeployment();
  const { data: me } = useMe();
  const [asked, setAsked] = useState<Asked>();
  const isStopped = status.data?.state === 'stopped';
  return (
    <>
      <Title
        sub={me && `${me.stage} · ${me.region} · ${me.version} · for operators`}
        actions={
          status.data && (
            <button
              type="button"
              class={`btn ${isStopped ? 'first' : 'danger'}`}
              onClick={() => setAsked({ is: isStopped ? 'start' : 'stop' })}
            >
              {isStopped ? 'Start…' : 'Stop everything…'}
            </button>
          )
        }
      >
        Deployment
      </Title>
      <Loaded query={status} height={480}>
        {(found) => (
          <div class="dep-grid">
            <State status={found} />
            <Shards status={found} />
            <Queues
              queues={found.queues}
              onRedrive={(queue, dead) => setAsked({ is: 'redrive', queue, dead })}
            />
            <Stops stops={found.stops} />
          </div>
        )}
      </Loaded>
      {asked?.is === 'stop' && <StopDialog stage={me?.stage ?? ''} onClose={() => setAsked(undefined)} />}
      {asked?.is === 'start' && <StartDialog onClose={() => setAsked(undefined)} />}
      {asked?.is === 'redrive' && (
        <RedriveDialog queue={asked.queue} dead={asked.dead} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

function State({
  status: { state, tick, shards, scan, sweep, stoppedAt, stoppedBy, dashboardUrl },
}: {
  status: DeploymentStatus;
}) {
  return (
    <Card part="state" title="State">
      <dl class="facts">
        <dt>Deployment</dt>
        <dd>
          <Mark status={state === 'running' ? 'active' : 'paused'} text={state} />
          {stoppedAt && (
            <>
              {' '}
              since <Instant at={stoppedAt} /> by {stoppedBy}
            </>
          )}
        </dd>
        <dt>Tick</dt>
        <dd>{tick === 'on' ? 'on, each minute' : 'off'}</dd>
        <dt>Shards</dt>
        <dd>{count(shards)}</dd>
        <dt>Scan, furthest behind</dt>
        <dd>
          <Lag sec={scan.lagSec} />
        </dd>
        <dt>Sweep, furthest behind</dt>
        <dd>
          <Lag sec={sweep.lagSec} />
        </dd>
        <dt>Metrics</dt>
        <dd>
          <a data-part="dashboard" href={dashboardUrl} target="_blank" rel="noopener">
            Dashboard
          </a>
        </dd>
      </dl>
    </Card>
  );
}

const Lag = ({ sec }: { sec: number | null }) => (
  <span class={isBehind(sec) ? 'late' : undefined}>{sec === null ? 'unknown' : `${sec} s`}</span>
);

function Shards({ status: { scan } }: { status: DeploymentStatus }) {
  const behind = scan.shards.filter(({ lagSec }) => isBehind(lagSec));
  const worst = behind.toSorted((a, b) => (b.lagSec ?? 0) - (a.lagSec ?? 0))[0];
  return (
    <Card
      part="shards"
      title="Shards"
      more={
        <Legend
          items={[
            ['succeeded', 'keeps up'],
            ['retrying', 'behind'],
          ]}
        />
      }
    >
      <ol class="shards">
        {scan.shards.map(({ shard, lagSec }) => (
          <li key={shard} class={isBehind(lagSec) ? 'bad' : lagSec ? 'some' : ''}>
            <span>{shard}</span>
            <strong>{lagSec === null ? 'new' : lagSec > 0 ? `${lagSec} s` : 'ok'}</strong>
          </li>
        ))}
      </ol>
      {worst && (
        <Note icon={<Icon name="info" />}>
          Shard {worst.shard} has not moved since {worst.at && <Instant at={worst.at} show="sec" />}. Its scan
          is requested again each minute. The runbook has a section “a shard falls behind”.
        </Note>
      )}
    </Card>
  );
}

interface QueuesProps {
  queues: DeploymentStatus['queues'];
  onRedrive(queue: string, dead: number): void;
}

const Queues = ({ queues, onRedrive }: QueuesProps) => (
  <Card part="queues" title="Queues" class="wide" flush>
    <Table
      label="Table of queues"
      class="tight"
      heads={[
        'Queue',
        ['Waiting', 'num'],
        ['In work', 'num'],
        ['Oldest', 'num'],
        ['Dead letters', 'num'],
        ['Actions', 'hidden'],
      ]}
    >
      {queues.map(({ name, waiting, inFlight, oldestSec, dead }) => (
        <tr key={name}>
          <td class="job">{name}</td>
          <td class="num">{count(waiting)}</td>
          <td class="num">{count(inFlight)}</td>
          <td class="num">{oldestSec === null ? '–' : `${oldestSec} s`}</td>
          <td class={`num ${dead > 0 ? 'late' : ''}`}>{count(dead)}</td>
          <td class="num">
            {dead > 0 && (
              <button type="button" class="btn small" onClick={() => onRedrive(name, dead)}>
                Move back…
              </button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  </Card>
);

function Stops({ stops }: { stops: DeploymentStatus['stops'] }) {
  if (stops.length === 0) return null;
  return (
    <Card part="stops" title="Stops" more={plural(stops.length, 'stop')} class="wide" flush>
      <Table label="Table of stops" class="tight" heads={['Stopped', 'Started', 'Why']}>
        {stops.map(({ stoppedAt, startedAt, by, startedBy, reason }) => (
          <tr key={stoppedAt}>
            <td>
              <Instant at={stoppedAt} show="full" /> by {by}
            </td>
            <td>
              {startedAt ? (
                <>
                  <Instant at={startedAt} show="full" /> by {startedBy}
                </>
              ) : (
                'not yet'
              )}
            </td>
            <td class="prose">{reason}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}
