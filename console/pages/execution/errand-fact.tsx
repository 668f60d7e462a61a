import type { Execution } from '../../../client/browser';
import { Instant } from '../../parts/instant';
import { duration } from '../../time/format';

type Errand = NonNullable<Execution['errand']>;

/** What does each kind of errand, and what that calls it. */
const KINDS: Record<NonNullable<Errand['type']>, { service: string; called: string }> = {
  stepfunctions: { service: 'Step Functions', called: 'State machine' },
  ecs: { service: 'ECS', called: 'Task of ECS' },
  batch: { service: 'Batch', called: 'Job of Batch' },
  glue: { service: 'Glue', called: 'Run of Glue' },
  codebuild: { service: 'CodeBuild', called: 'Build' },
  durable: { service: 'Lambda', called: 'Durable execution' },
};

/** The service that does an errand. */
export const serviceOf = ({ type }: Errand): string => (type ? KINDS[type].service : 'AWS');

const ERRAND_STATES: Record<Errand['state'], string> = {
  starting: 'is about to start',
  watched: 'runs',
  unresolved: 'may run: its start got no answer, and its service is asked',
  stopping: 'is to end, and has not been seen to',
  lost: 'was lost from sight: a retry asks for it first',
};

/** What a service of AWS does for an attempt, which waits for its end. */
export function ErrandFact({ errand }: Pick<Execution, 'errand'>) {
  if (!errand) return null;
  const { type, name, state, since, consoleUrl, logsUrl, trouble } = errand;
  return (
    <>
      <dt>{type ? KINDS[type].called : 'Work at AWS'}</dt>
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
        <ErrandLinks logsUrl={logsUrl} />
        {trouble && (
          <div class="late">
            Its service does not say how it is, since <Instant at={trouble.since} show="full" />:{' '}
            {trouble.error}
          </div>
        )}
      </dd>
    </>
  );
}

interface LinksProps {
  consoleUrl?: string | undefined;
  logsUrl?: string | undefined;
}

/** Where AWS shows what was done for an attempt, and its logs. */
export const ErrandLinks = ({ consoleUrl, logsUrl }: LinksProps) => (
  <>
    {[consoleUrl && (['in AWS', consoleUrl] as const), logsUrl && (['logs', logsUrl] as const)].map(
      (one) =>
        one && (
          <>
            {' '}
            <a href={one[1]} target="_blank" rel="noreferrer">
              {one[0]}
            </a>
          </>
        ),
    )}
  </>
);

type Step = NonNullable<NonNullable<Execution['attempts'][number]['errand']>['steps']>[number];

const tookText = ({ startedAt, endedAt }: Step): string =>
  startedAt && endedAt ? `, ${duration(Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)))}` : '';

/** What a durable function has done, step by step. */
export const ErrandSteps = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="quiet">
    {steps.map((step, index) => (
      <li key={index}>
        {step.name}: {step.state === 'open' ? 'had not ended' : step.state}
        {tookText(step)}
      </li>
    ))}
  </ol>
);
