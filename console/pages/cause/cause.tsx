import { useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { type FailuresSoFar, useFailureGroups, useFailures } from '../../api/failures';
import type { FailuresFilter } from '../../api/failures-filter';
import { useQueryValues } from '../../app/go';
import { Card, Title } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { Empty, Loaded } from '../../parts/states';
import { count, plural } from '../../time/format';
import { AckButton, AckText } from '../failures/ack';
import { RetryButton } from '../failures/group';
import { type FailureGroup, groupsOf, withCounts } from '../failures/groups';
import { headOf } from '../failures/head';
import { RetryDialog } from '../failures/later-retry';
import { Rows } from '../failures/rows';
import { BeganCard } from './began';
import { excerptsOf, jobsOf } from './counts';
import { JobsCard } from './jobs-card';
import { PauseJobs } from './pause-jobs';

/** One cause of failures: since when, what changed before it, whom it is about, and what can be done. */
export default function Cause() {
  const { query } = useQueryValues();
  const fingerprint = query.get('cause') ?? '';
  const filter: FailuresFilter = { span: '7d', tags: [], view: 'all', fingerprint };
  const failures = useFailures(filter, 30_000);
  const counted = useFailureGroups(filter, 30_000);
  const isKnown = failures.data !== undefined && counted.data !== undefined;
  const group =
    isKnown &&
    withCounts(groupsOf(failures.data!.items, headOf), counted.data!.groups).find(
      ({ key }) => key === fingerprint,
    );
  if (group) return <Found group={group} failures={failures.data!} filter={filter} />;
  return (
    <>
      <Title>{isKnown ? 'This cause is over' : 'Cause'}</Title>
      <Loaded query={counted} height={420}>
        {() => isKnown && <Empty title="Nothing has failed so in the last 7 days." />}
      </Loaded>
    </>
  );
}

interface FoundProps {
  group: FailureGroup;
  failures: FailuresSoFar;
  filter: FailuresFilter;
}

function Found({ group, failures: { items, hasMore }, filter }: FoundProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{ chosen?: readonly Execution[] }>();
  const jobs = jobsOf(items);
  return (
    <>
      <Title
        sub={
          <>
            {group.isAtLeast && 'At least '}
            {plural(group.count, 'execution')} of {plural(group.jobs, 'job')} in the last 7 days, last{' '}
            <Relative at={group.lastMs} />
            {group.host && ` · ${group.host}`}
          </>
        }
        actions={
          <>
            <RetryButton
              group={group}
              items={items}
              left={left}
              onRetry={(_, chosen) => setAsked({ chosen })}
            />
            <PauseJobs jobIds={jobs.map(({ jobId }) => jobId)} isAll={!hasMore} />
            <AckButton cause={group} />
          </>
        }
      >
        {group.head}
      </Title>
      <AckText ack={group.ack} />
      <Excerpts items={items} />
      {group.first && <BeganCard first={group.first} firstMs={group.firstMs} />}
      <JobsCard jobs={jobs} isAll={!hasMore} />
      <Card part="cause-executions" title="Executions" flush>
        <Rows items={items} head={group.head} left={left} onLeft={setLeft} />
        {hasMore && <p class="quiet in">These are the {count(items.length)} newest.</p>}
      </Card>
      {asked && <RetryDialog group={group} filter={filter} {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** What the targets say, the most frequent first. */
function Excerpts({ items }: { items: readonly Execution[] }) {
  const excerpts = excerptsOf(items);
  if (excerpts.length === 0) return null;
  return (
    <Card part="cause-excerpts" title="What it says">
      <ul class="excerpts">
        {excerpts.map(({ excerpt, times, lastAt }) => (
          <li key={excerpt}>
            <code class="excerpt">{excerpt}</code>{' '}
            <span class="quiet">
              {count(times)} ×, last <Instant at={lastAt} show="recent" />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
