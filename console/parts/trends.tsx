import { useState } from 'preact/hooks';

import type { Stats } from '../../client/browser';
import { TREND_DAYS, type TrendOf, type TrendSpan, useTrend } from '../api/trends';
import { Card, Segments } from './card';
import { INCOMPLETE } from './incomplete';
import { Loaded } from './states';
import { Table } from './table';
import { count, duration, plural } from '../time/format';

const SPANS = Object.keys(TREND_DAYS) as TrendSpan[];
const WORDS: Record<TrendSpan, string> = { '24h': '24 h', '7d': '7 days', '30d': '30 days' };
const HEIGHT = 330;

/** Success, duration and lateness of a time, beside the same time before. From the journal of ends. */
export default function Trends({ of }: { of: TrendOf }) {
  const [span, setSpan] = useState<TrendSpan>('7d');
  const trend = useTrend(span, of);
  return (
    <Card
      part="trends"
      title="Trends"
      flush
      more={
        <Segments
          label="Time"
          value={span}
          options={SPANS.map((one) => [one, WORDS[one]] as const)}
          onChange={(one) => setSpan(one)}
        />
      }
    >
      <Loaded query={trend} height={HEIGHT}>
        {({ now, before }) =>
          now.total ? (
            <>
              <Bars stats={now} />
              <Compared now={now.total} before={before.total} words={WORDS[span]} />
              {now.incompleteBecause.map((why) => (
                <p key={why} class="quiet in">
                  {INCOMPLETE[why]}
                </p>
              ))}
            </>
          ) : (
            <p class="quiet in">This deployment keeps no journal of ends, so there are no trends.</p>
          )
        }
      </Loaded>
    </Card>
  );
}

type Total = NonNullable<Stats['total']>;

const ms = (value: number | null): string => (value === null ? '–' : `≤ ${duration(value)}`);
const ended = ({ counts }: Total): number => Object.values(counts).reduce((sum, one) => sum + one, 0);

const ROWS: readonly (readonly [name: string, text: (total: Total) => string])[] = [
  ['Ended', (total) => count(ended(total))],
  ['Failed', ({ counts }) => count(counts.failed)],
  [
    'Success',
    ({ successRate }) =>
      successRate === null ? '–' : `${(Math.floor(successRate * 1_000) / 10).toFixed(1)} %`,
  ],
  ['Took, median', (total) => ms(total.duration.p50)],
  ['Took, 95 of 100', (total) => ms(total.duration.p95)],
  ['Late by, 95 of 100', (total) => ms(total.lateness.p95)],
];

const Compared = ({ now, before, words }: { now: Total; before: Total | null; words: string }) => (
  <Table
    label={`Trends of ${words}`}
    class="tight"
    heads={['Executions', [`Last ${words}`, 'num'], [`${words} before`, 'num']]}
  >
    {ROWS.map(([name, text]) => (
      <tr key={name}>
        <th scope="row">{name}</th>
        <td class="num">{text(now)}</td>
        <td class="num quiet">{before ? text(before) : '–'}</td>
      </tr>
    ))}
  </Table>
);

const [WIDTH, TALL] = [300, 60];

/** What ended in each hour or day: failures stand on what else ended. */
function Bars({ stats: { buckets, by } }: { stats: Stats }) {
  const most = Math.max(1, ...buckets.map(ended));
  const step = WIDTH / buckets.length;
  const failed = buckets.filter(({ counts }) => counts.failed > 0).length;
  return (
    <svg
      class="trend"
      viewBox={`0 0 ${WIDTH} ${TALL}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Ended by the ${by}; failures in ${plural(failed, by)} of ${buckets.length}`}
    >
      {buckets.map((bucket, index) => {
        const all = (ended(bucket) / most) * TALL;
        const bad = (bucket.counts.failed / most) * TALL;
        const place = { x: index * step + step * 0.1, width: step * 0.8 };
        return (
          <g key={bucket.from}>
            <rect {...place} y={TALL - all + bad} height={all - bad} fill="var(--succeeded-fill)" />
            <rect {...place} y={TALL - all} height={bad} fill="var(--failed-fill)" />
          </g>
        );
      })}
    </svg>
  );
}
