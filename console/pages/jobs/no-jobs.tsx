import type { JobsFilter } from '../../api/jobs-filter';
import { useCan } from '../../api/project';
import { Go } from '../../app/go';
import { Card } from '../../parts/card';
import { CopyButton } from '../../parts/copy';
import { Empty } from '../../parts/states';
import { filterInWords, isFiltered } from './filter';

const CLI =
  'npx @quarterjack/cli jobs create report --schedule "30 9 * * MON-FRI" --timezone Europe/Berlin --http https://example.com/hook';
const curl = (): string =>
  `curl -sS ${location.origin}/v1/jobs -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '{"schedule":{"type":"delay","delay":"10s"},"target":{"type":"http","url":"https://example.com/hook"}}'`;

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
          <p>
            <Go to="/jobs/~new" class="btn first">
              New job
            </Go>
          </p>
        )}
        <Line text={() => CLI} name="on the command line" />
        <Line text={curl} name="with curl" />
      </Empty>
    </Card>
  );
}

const Line = ({ text, name }: { text(): string; name: string }) => (
  <div class="way">
    <h3>{name}</h3>
    <pre class="code">{text()}</pre>
    <CopyButton text={text}>Copy</CopyButton>
  </div>
);
