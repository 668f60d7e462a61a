import { useState } from 'preact/hooks';

import type { Execution, FailureGroups } from '../../../client/browser';
import { type FailuresSoFar, useFailureGroups, useFailures } from '../../api/failures';
import type { FailuresFilter } from '../../api/failures-filter';
import { Go, useQueryValues } from '../../app/go';
import { Card, Segments, Title } from '../../parts/card';
import { Empty, Loaded } from '../../parts/states';
import { count, plural } from '../../time/format';
import { filterOf, SHOWN, type Shown, shownOf } from './filter';
import { FilterBar } from './filter-bar';
import { Group } from './group';
import { headOf } from './head';
import { type FailureGroup, groupsOf, withCounts } from './groups';
import { RetryDialog } from './later-retry';

/** Failed and skipped executions of all jobs, by cause. */
export default function Failures() {
  const { query, put } = useQueryValues();
  const filter = filterOf(query);
  const shown = shownOf(query);
  const failures = useFailures(filter, 30_000);
  const counted = useFailureGroups(filter, 30_000);
  const groups =
    failures.data && withCounts(groupsOf(failures.data.items, headOf), counted.data?.groups ?? []);
  return (
    <>
      <Title
        sub={failures.data && groups && <Sentence groups={groups} counted={counted.data} />}
        actions={
          <Segments
            label="Show"
            value={shown}
            options={SHOWN.map((one) => [one, `${WORDS[one]} ${countOf(groups, one)}`] as const)}
            onChange={(one) => put({ show: one === 'open' ? '' : one })}
          />
        }
      >
        Failures
      </Title>
      <FilterBar filter={filter} put={put} />
      <Loaded query={failures} height={420}>
        {(found) => <Groups failures={found} groups={groups ?? []} filter={filter} shown={shown} />}
      </Loaded>
    </>
  );
}

const WORDS: Record<Shown, string> = { open: 'Failed', known: 'Known', skipped: 'Skipped', all: 'All' };

/** What is skipped counts nowhere, so no user has to know about it. */
function passes(shown: Shown, { status, ack }: FailureGroup): boolean {
  if (shown === 'all') return true;
  if (status !== 'failed') return shown === 'skipped';
  return shown === (ack ? 'known' : 'open');
}

const countOf = (groups: readonly FailureGroup[] | undefined, shown: Shown): string =>
  groups ? count(groups.filter((one) => passes(shown, one)).reduce((sum, one) => sum + one.count, 0)) : '';

function Sentence({
  groups,
  counted,
}: {
  groups: readonly FailureGroup[];
  counted: FailureGroups | undefined;
}) {
  const total = groups.reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      {plural(total, 'execution')} failed or skipped, of {plural(groups.length, 'cause')}
      {counted?.complete === false && ', and more than could be counted'}
    </>
  );
}

interface GroupsProps {
  failures: FailuresSoFar;
  groups: readonly FailureGroup[];
  filter: FailuresFilter;
  shown: Shown;
}

const NOTHING: Record<Shown, string> = {
  open: 'Nothing failed.',
  known: 'Nothing is acknowledged.',
  skipped: 'Nothing was skipped.',
  all: 'Nothing failed, and nothing was skipped.',
};

function Groups({ failures: { sinceMs }, groups, filter, shown }: GroupsProps) {
  const [asked, setAsked] = useState<{ group: FailureGroup; chosen?: readonly Execution[] }>();
  const present = groups.filter((one) => passes(shown, one));
  return (
    <div class="stack" data-part="failures">
      {present.length === 0 && (
        <Card part="no-failures" flush>
          <Empty title={NOTHING[shown]}>
            <p>
              Who is to hear of the next failure? See <Go to="/settings/notifications">notifications</Go>.
            </p>
          </Empty>
        </Card>
      )}
      {present.map((group, index) => (
        <Group
          key={group.key}
          group={group}
          filter={filter}
          sinceMs={sinceMs}
          isFirst={index === 0}
          onRetry={(retried, chosen) => setAsked({ group: retried, chosen })}
        />
      ))}
      {asked && <RetryDialog {...asked} filter={filter} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
