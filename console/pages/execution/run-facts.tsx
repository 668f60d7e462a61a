import type { Execution } from '../../../client/browser';
import { Instant } from '../../parts/instant';
import { TRIGGERS, wordsFor } from '../../parts/words';
import { TraceFact } from './trace-fact';

interface RunFactsProps {
  execution: Execution;
}

/** What has started an execution, and what its user has said of it. */
export const RunFacts = ({
  execution: { trigger, generation, by, detail, key, heldAt, trace },
}: RunFactsProps) => (
  <>
    <dt>Started by</dt>
    <dd>
      {wordsFor(TRIGGERS, trigger)}
      {generation !== undefined && `, generation ${generation}`}
    </dd>
    {by && (
      <>
        <dt>By</dt>
        <dd>
          {by.name ?? by.sub}
          {detail?.note && ` “${detail.note}”`}
        </dd>
      </>
    )}
    {key !== undefined && (
      <>
        <dt>Key</dt>
        <dd class="mono">{key}</dd>
      </>
    )}
    {heldAt && (
      <>
        <dt>Waits since</dt>
        <dd>
          <Instant at={heldAt} show="sec" />: the job is paused
        </dd>
      </>
    )}
    <TraceFact trace={trace} />
  </>
);
