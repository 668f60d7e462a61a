import type { Execution } from '../../../client/browser';
import { Instant } from '../../parts/instant';

const ERRAND_STATES: Record<NonNullable<Execution['errand']>['state'], string> = {
  starting: 'is about to start',
  watched: 'runs',
  unresolved: 'may run: its start got no answer, and Step Functions is asked',
  stopping: 'is to end, and has not been seen to',
  lost: 'was lost from sight: a retry asks for it first',
};

/** The execution of the state machine that an attempt waits for. */
export function ErrandFact({ errand }: Pick<Execution, 'errand'>) {
  if (!errand) return null;
  const { name, state, since, consoleUrl } = errand;
  return (
    <>
      <dt>State machine</dt>
      <dd>
        {consoleUrl === undefined ? (
          <span class="mono">{name}</span>
        ) : (
          <a class="mono" href={consoleUrl} target="_blank" rel="noreferrer">
            {name}
          </a>
        )}{' '}
        {ERRAND_STATES[state]}
        {since && (
          <>
            , since <Instant at={since} show="full" />
          </>
        )}
      </dd>
    </>
  );
}
