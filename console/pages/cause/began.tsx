import type { Execution } from '../../../client/browser';
import { type Began, useBegan } from '../../api/cause';
import { paths } from '../../app/address';
import { Go } from '../../app/go';
import { ChangeText } from '../../editor/change-text';
import { Card } from '../../parts/card';
import { Instant, Relative } from '../../parts/instant';
import { Loaded } from '../../parts/states';

interface BeganCardProps {
  first: { jobId: string; execId: string };
  firstMs: number;
}

/** Since when: the first that failed so, the last that succeeded before, and what changed between them. */
export const BeganCard = ({ first, firstMs }: BeganCardProps) => (
  <Card part="cause-began" title="How it began">
    <dl class="facts">
      <dt>Since</dt>
      <dd>
        <Instant at={firstMs} show="full" /> · <Relative at={firstMs} />
      </dd>
    </dl>
    <Loaded query={useBegan(first)} height={120}>
      {(began) => <Between {...began} />}
    </Loaded>
  </Card>
);

function Between({ bad, good, changes }: Began) {
  return (
    <>
      <dl class="facts">
        <dt>First failed</dt>
        <dd>
          <Link execution={bad} />
        </dd>
        <dt>Last good before</dt>
        <dd>{good ? <Link execution={good} /> : 'none in the history'}</dd>
        <dt>Changed between</dt>
        <dd>
          {changes.length > 0 ? (
            <Go to={paths.job(bad.jobId, 'changes')}>the job, as below</Go>
          ) : (
            'nothing of the job: check what it calls'
          )}
        </dd>
      </dl>
      {changes.length > 0 && (
        <ol class="changes">
          {changes.map((change) => (
            <li key={`${change.createdAt}-${change.number}`}>
              <ChangeText change={change} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

const Link = ({ execution: { jobId, execId, dueAt } }: { execution: Execution }) => (
  <Go to={paths.execution(jobId, execId)}>
    {jobId}, due <Instant at={dueAt} show="full" />
  </Go>
);
