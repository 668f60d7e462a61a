import type { JobWithEtag } from '../../../client/browser';
import { useStats, useUpcoming } from '../../api/jobs';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { zone } from '../../app/zone';
import { Card } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { Loaded, placed } from '../../parts/states';
import { TargetName } from '../../parts/target-name';
import { targetText } from '../../parts/target-text';
import { MISFIRES, OVERLAPS, wordsFor } from '../../parts/words';
import { shortForm, zoneOf } from '../../planning/short-form';
import { useWords } from '../../planning/words';
import { count, dayYear, duration, localParts, offset, plural } from '../../time/format';
import { MonitorCard } from './monitor';
import { AskCard } from './why';

/** Schedule, next times, target and statistics, beside the ledger. */
export function JobSide({ job }: { job: JobWithEtag }) {
  const words = useWords();
  const upcoming = useUpcoming(job, 5);
  return (
    <div class="stack">
      <Card part="schedule-words" title="Schedule" more={<Go to={paths.job(job.jobId, 'schedule')}>Open</Go>}>
        <p class="words">{words(job.schedule)}</p>
        <p class="second">
          <code>{shortForm(job.schedule)}</code> · {zoneOf(job.schedule) ?? 'UTC'}
        </p>
      </Card>
      <Card part="next" title="Next" flush>
        <Loaded query={upcoming} height={150}>
          {(times) => (
            <ol class="lines">
              {times.map(({ at, local, note }, index) => (
                <li key={at}>
                  <span>
                    <Instant at={at} />
                    <InItsZone at={at} local={local} />
                    {note && <span class="late"> {note}</span>}
                  </span>
                  {index === 0 && (
                    <span class="quiet">
                      <Relative at={at} />
                    </span>
                  )}
                </li>
              ))}
              {times.length === 0 && <li class="quiet">No time is ahead.</li>}
            </ol>
          )}
        </Loaded>
      </Card>
      <div class={placed(upcoming, 'stack')}>
        <AskCard jobId={job.jobId} title="Why did it not run?" />
        {job.target?.type === 'monitor' ? (
          <MonitorCard job={job} target={job.target} />
        ) : (
          <TargetCard job={job} />
        )}
        <StatsCard jobId={job.jobId} />
      </div>
    </div>
  );
}

/** The time in the zone of the schedule, where that is not the zone of the page. */
function InItsZone({ at, local }: { at: string; local: string }) {
  const { day, time, offset: own } = localParts(local);
  const ms = Date.parse(at);
  if (own === offset(ms, zone.value)) return null;
  return (
    <span class="quiet">
      {' '}
      · {day !== dayYear(ms, zone.value) && `${day} `}
      {time} {own}
    </span>
  );
}

function TargetCard({ job }: { job: JobWithEtag }) {
  const targets = job.targets ?? (job.target ? [job.target] : []);
  const { retry, misfire, overlap, orderingKey, timeout } = job;
  return (
    <Card part="target" title={targets.length > 1 ? `${targets.length} targets` : 'Target'}>
      <dl class="facts">
        {targets.map((target, index) => (
          <>
            <dt>{index === 0 ? 'Calls' : ''}</dt>
            <dd class="mono">
              {target.type === 'worker' ? (
                <Go to={paths.queue(target.queue)}>{targetText(target)}</Go>
              ) : (
                <TargetName target={target} />
              )}
            </dd>
          </>
        ))}
        {job.workflow && (
          <>
            <dt>Runs</dt>
            <dd>
              <Go to={paths.workflow(job.jobId)}>{plural(Object.keys(job.workflow.tasks).length, 'task')}</Go>
            </dd>
          </>
        )}
        <dt>Time limit</dt>
        <dd>{timeout}</dd>
        <dt>Retries</dt>
        <dd>
          {plural(retry.maxAttempts, 'attempt')}
          {retry.maxAttempts > 1 && `, ${retry.initialDelay} × ${retry.multiplier} up to ${retry.maxDelay}`}
        </dd>
        <dt>Missed</dt>
        <dd>
          {wordsFor(MISFIRES, misfire.policy)}; {misfire.grace} late is in time
        </dd>
        <dt>Overlap</dt>
        <dd>{wordsFor(OVERLAPS, overlap)}</dd>
        {orderingKey && (
          <>
            <dt>Ordering key</dt>
            <dd>
              <Go to={paths.key(orderingKey)}>{orderingKey}</Go>
            </dd>
          </>
        )}
      </dl>
    </Card>
  );
}

function StatsCard({ jobId }: { jobId: string }) {
  const stats = useStats(jobId);
  return (
    <Card
      part="stats"
      title="Last 30 days"
      more={stats.data && !stats.data.complete ? 'of the newest 2,000' : ''}
    >
      <Loaded query={stats} height={110}>
        {({ successRate, durationMs, latenessMs, rows }) => (
          <dl class="facts">
            <dt>Occurrences</dt>
            <dd>{count(rows)}</dd>
            <dt>Succeeded</dt>
            <dd>{successRate === null ? '–' : `${(successRate * 100).toFixed(1)} %`}</dd>
            <dt>Took</dt>
            <dd>
              {durationMs ? `${duration(durationMs.p50)}, 95th of 100 ${duration(durationMs.p95)}` : '–'}
            </dd>
            <dt>Late by</dt>
            <dd>
              {latenessMs ? `${duration(latenessMs.p50)}, 95th of 100 ${duration(latenessMs.p95)}` : '–'}
            </dd>
          </dl>
        )}
      </Loaded>
    </Card>
  );
}
