import type { Execution } from '../../../client/browser';
import { Instant } from '../../parts/instant';

const ERRAND_STATES: Record<NonNullable<Execution['errand']>['state'], string> = {
  starting: 'is about to start',
  watched: 'runs',
  unresolved: 'may run: its start got no answer, and its service is asked',
  stopping: 'is to end, and has not been seen to',
  lost: 'was lost from sight: a retry asks for it first',
};

const NAMES: Record<NonNullable<NonNullable<Execution['errand']>['type']>, string> = {
  stepfunctions: 'State machine',
  ecs: 'Task of ECS',
};

/** What an attempt waits for: an execution of a state machine, or a task. */
export function ErrandFact({ errand }: Pick<Execution, 'errand'>) {
  if (!errand) return null;
  const { type, name, state, since, consoleUrl } = errand;
  return (
    <>
      <dt>{type === undefined ? 'Work at AWS' : NAMES[type]}</dt>
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
