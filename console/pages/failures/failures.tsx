import { useState } from 'preact/hooks';

import type { Execution } from '../../../client/browser';
import { call } from '../../api/client';
import { type FailuresSoFar, isSpan, type Span, useFailures } from '../../api/failures';
import { refresh } from '../../api/polling';
import { useQueryValues } from '../../app/go';
import { Card, Segments, Title } from '../../parts/card';
import { type Bulk, BulkDialog } from '../../parts/bulk-dialog';
import { attemptText, reasonText } from '../../parts/reason';
import { Empty, Loaded } from '../../parts/states';
import { count, plural } from '../../time/format';
import { Group } from './group';
import { groupsOf, retryOrder } from './groups';

const SHOWN = ['open', 'skipped', 'all'] as const;
type Shown = (typeof SHOWN)[number];
const SPAN_WORDS: Record<Span, string> = { '1h': 'Last hour', '24h': 'Last 24 h', '7d': 'Last 7 days' };

/** Failed and skipped executions of all jobs, by cause. */
export default function Failures() {
  const { query, put } = useQueryValues();
  const span = isSpan(query.get('span')) ? (query.get('span') as Span) : '24h';
  const shown = SHOWN.find((one) => one === query.get('show')) ?? 'open';
  const failures = useFailures(span, 30_000);
  return (
    <>
      <Title
        sub={failures.data && <Sentence failures={failures.data} />}
        actions={
          <>
            <Segments
              label="Show"
              value={shown}
              options={SHOWN.map((one) => [one, `${wordOf(one)} ${countOf(failures.data, one)}`] as const)}
              onChange={(one) => put({ show: one === 'open' ? '' : one })}
            />
            <label>
              <span class="hidden">Span</span>
              <select
                class="field"
                value={span}
                onChange={(event) =>
                  put({ span: event.currentTarget.value === '24h' ? '' : event.currentTarget.value })
                }
              >
                {Object.entries(SPAN_WORDS).map(([one, words]) => (
                  <option key={one} value={one}>
                    {words}
                  </option>
                ))}
              </select>
            </label>
          </>
        }
      >
        Failures
      </Title>
      <Loaded query={failures} height={420}>
        {(found) => <Groups failures={found} shown={shown} />}
      </Loaded>
    </>
  );
}

const wordOf = (shown: Shown): string => ({ open: 'Failed', skipped: 'Skipped', all: 'All' })[shown];

const passes = (shown: Shown, { status }: Execution): boolean =>
  shown === 'all' || (shown === 'open' ? status === 'failed' : status === 'skipped');

const countOf = (failures: FailuresSoFar | undefined, shown: Shown): string =>
  failures ? count(failures.items.filter((one) => passes(shown, one)).length) : '';

const Sentence = ({ failures: { items, hasMore } }: { failures: FailuresSoFar }) => (
  <>
    {plural(items.length, 'execution')} failed or skipped
    {hasMore && ', and more: only the newest 1,000 are shown'}
  </>
);

/** What went wrong, in a few words. */
export function headOf(execution: Execution): string {
  const last = execution.attempts.at(-1);
  if (execution.status === 'skipped' || !last)
    return execution.reason ? reasonText(execution.reason) : execution.status;
  return attemptText(last);
}

function Groups({ failures: { items, sinceMs }, shown }: { failures: FailuresSoFar; shown: Shown }) {
  const [bulk, setBulk] = useState<Bulk<Execution>>();
  const groups = groupsOf(
    items.filter((one) => passes(shown, one)),
    headOf,
  );
  if (groups.length === 0)
    return (
      <Card part="failures" flush>
        <Empty title={shown === 'skipped' ? 'Nothing was skipped.' : 'Nothing failed.'} />
      </Card>
    );
  const retry = (chosen: readonly Execution[], word: string) =>
    setBulk({
      title: `${word} ${plural(chosen.length, 'execution')}`,
      items: retryOrder(chosen),
      nameOf: ({ jobId, execId }) => `${jobId}/${execId}`,
      act: ({ jobId, execId }) => call((api) => api.executions.retry(jobId, execId)),
    });
  return (
    <div class="stack" data-part="failures">
      {groups.map((group, index) => (
        <Group key={group.key} group={group} sinceMs={sinceMs} isFirst={index === 0} onRetry={retry} />
      ))}
      {bulk && (
        <BulkDialog
          bulk={bulk}
          onClose={() => {
            setBulk(undefined);
            void refresh('failures');
          }}
        />
      )}
    </div>
  );
}
