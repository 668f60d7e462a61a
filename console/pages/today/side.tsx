import { useNext } from '../../api/planned';
import { useUsage } from '../../api/project';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { now } from '../../app/now';
import { Card } from '../../parts/card';
import { Instant, Relative, Since } from '../../parts/instant';
import { Loaded, Skeleton } from '../../parts/states';
import { Mark } from '../../parts/status-mark';
import { bytes, count } from '../../time/format';
import type { DayRow } from './figures';

export function NextUp() {
  const next = useNext(20);
  return (
    <Card part="next-up" title="Next" more={<Go to="/jobs">All jobs</Go>} flush>
      <Loaded query={next} height={216}>
        {({ items, complete }) => (
          <ol class="lines six">
            {items
              .filter(({ at }) => Date.parse(at) > now.value)
              .slice(0, 6)
              .map(({ at, jobId }) => (
                <li key={jobId + at}>
                  <Instant at={at} show="sec" />
                  <Go to={paths.job(jobId)} class="job cut">
                    {jobId}
                  </Go>
                  <span class="quiet">
                    <Relative at={at} />
                  </span>
                </li>
              ))}
            {items.length === 0 && <li class="quiet">Nothing is due in the next 24 hours.</li>}
            {!complete && <li class="quiet">Over the first 2,000 jobs.</li>}
          </ol>
        )}
      </Loaded>
    </Card>
  );
}

/** What `RunningNow` shows of an execution. */
type Running = Pick<DayRow, 'jobId' | 'execId' | 'status' | 'startedAt' | 'dueAt'>;

/** Executions that have begun and not ended. Undefined: not known yet; null: of too many jobs. */
export function RunningNow({ running }: { running: readonly Running[] | null | undefined }) {
  return (
    <Card
      part="running-now"
      title="Running now"
      more={running ? count(running.length) : <Go to="/executions">Executions</Go>}
      flush
    >
      {running === undefined ? (
        <Skeleton height={46} />
      ) : (
        <ol class="lines">
          {running?.slice(0, 6).map(({ jobId, execId, status, startedAt, dueAt }) => (
            <li key={jobId + execId}>
              <Mark status={status} bare />
              <Go to={paths.execution(jobId, execId)} class="job cut">
                {jobId}
              </Go>
              <span class="quiet">
                {status === 'retrying' && 'between attempts, '}
                <Since at={startedAt ?? dueAt} />
              </span>
            </li>
          ))}
          {running === null && <li class="quiet">More than 500 jobs: a tag narrows the list.</li>}
          {running?.length === 0 && <li class="quiet">Nothing runs.</li>}
        </ol>
      )}
    </Card>
  );
}

/** What the project uses of its quotas. */
export function QuotaCard() {
  const usage = useUsage();
  return (
    <Card part="quota" title="Quota">
      <Loaded query={usage} height={110}>
        {({ jobs, firesPerMinute, payloadBytes, writtenBytesPerDay }) => (
          <dl class="quota">
            <Quota name="Jobs" {...jobs} text={count} />
            <Quota name="Fires a minute" {...firesPerMinute} text={(value) => count(Math.round(value))} />
            <Quota name="Payloads" {...payloadBytes} text={bytes} />
            <Quota name="Written today" {...writtenBytesPerDay} text={bytes} />
          </dl>
        )}
      </Loaded>
    </Card>
  );
}

interface QuotaProps {
  name: string;
  used: number;
  allowed: number;
  approximate: boolean;
  text(value: number): string;
}

const Quota = ({ name, used, allowed, approximate, text }: QuotaProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {approximate && 'about '}
      {text(used)} of {text(allowed)}
      <meter min={0} max={allowed} value={used} aria-label={name} />
    </dd>
  </div>
);
