import type { JobsFilter } from '../../api/jobs-filter';
import { useCan } from '../../api/project';
import { Go } from '../../app/go';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Empty } from '../../parts/states';
import { filterInWords, isFiltered } from './filter';

const CRONTAB = `crontab -l | npx @quarterjack/cli import crontab - --timezone ${
  Intl.DateTimeFormat().resolvedOptions().timeZone
} --queue host-1`;
const CODE = `// jobs.ts, beside: npm install quarterjack
import { defineJob, every } from 'quarterjack/jobs';

export const hello = defineJob({
  id: 'hello',
  schedule: every('1m'),
  run: ({ dueAt }) => console.log('due', dueAt),
});

// npx @quarterjack/cli dev jobs.ts`;

/** A list without jobs: because of its filter, or because there are none yet. */
export function NoJobs({ filter, onClear }: { filter: JobsFilter; onClear(): void }) {
  const can = useCan();
  if (isFiltered(filter))
    return (
      <Card part="jobs" flush>
        <Empty title={`There are no jobs ${filterInWords(filter)}.`}>
          <p>
            <button type="button" class="btn" onClick={onClear}>
              Clear the filter
            </button>
          </p>
        </Empty>
      </Card>
    );
  return (
    <Card part="jobs" flush>
      <Empty title="There are no jobs yet. Three ways to make one:">
        {can('jobs:write') && (
          <p class="acts">
            <Go to="/jobs/~new" class="btn first">
              New job
            </Go>
            <Go to="/jobs/~new?kind=workflow" class="btn">
              New workflow
            </Go>
            <span class="quiet">in a form</span>
          </p>
        )}
        <Line text={CRONTAB} name="From a crontab: it prints the jobs, and makes them with --apply" />
        <Line text={CODE} name="In code: a function that runs on this machine each minute" />
      </Empty>
    </Card>
  );
}

const Line = ({ text, name }: { text: string; name: string }) => (
  <div class="way">
    <h3>{name}</h3>
    <pre class="code">{text}</pre>
    <CopyButton text={() => text}>Copy</CopyButton>
  </div>
);
