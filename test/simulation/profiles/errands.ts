import { profileOf, withActions, withEachJob } from './draws';

export const MACHINES = ['nightly', 'hourly'].map(
  (name) => `arn:aws:states:eu-central-1:111122223333:stateMachine:target-${name}`,
);

const DURABLE = 'arn:aws:lambda:eu-central-1:111122223333:function:target-orders:live';

const HERE = 'arn:aws:ecs:eu-central-1:111122223333';
const TASK = {
  type: 'ecs',
  taskDefinitionArn: `${HERE}:task-definition/target-report`,
  clusterArn: `${HERE}:cluster/target-jobs`,
};

const OTHERS = [
  {
    type: 'batch',
    jobDefinitionArn: 'arn:aws:batch:eu-central-1:111122223333:job-definition/target-report',
    jobQueueArn: 'arn:aws:batch:eu-central-1:111122223333:job-queue/target-spot',
  },
  { type: 'glue', glueJobArn: 'arn:aws:glue:eu-central-1:111122223333:job/target-etl' },
  { type: 'codebuild', projectArn: 'arn:aws:codebuild:eu-central-1:111122223333:project/target-site' },
];

/**
 * Jobs whose targets work as errands. Starts get no answer. Events are lost, late and doubled. Probes are
 * denied and stale. Errands stop slowly, while stages die and stall. Users cancel, retry, edit and delete.
 */
export const errands = profileOf(({ random, plan, window, freezes, kills, actions }) => {
  const target = () =>
    random.pick([
      { type: 'stepfunctions', stateMachineArn: random.pick(MACHINES), wait: true },
      { type: 'lambda', functionArn: DURABLE, durable: true },
      TASK,
      ...OTHERS,
    ]);
  const plain = { type: 'http', url: 'https://example.com/hook', timeout: '30s' };
  const jobs = withEachJob(plan, () => ({
    target: target(),
    timeout: random.pick(['45s', '2m', '5m']),
    overlap: random.pick(['allow', 'allow', 'skip', 'queue', 'replace']),
    orderingKey: null,
  }));
  const moves = actions(['patch'], 6, () => ({ target: random.pick([target(), plain]) }));
  return {
    faults: [
      window('errand-refused', 0.05),
      window('errand-start-lost', 0.1),
      window('errand-answer-lost', 0.15),
      window('errand-name-taken', 0.5),
      window('errand-fails', 0.2),
      window('errand-host-lost', 0.2),
      window('errand-slow', 0.1),
      window('errand-aborted', 0.03),
      window('event-lost', 0.3),
      window('event-doubled', 0.2),
      window('event-late', 0.2),
      window('probe-denied', 0.2),
      window('probe-throttled', 0.1),
      window('probe-stale', 0.3),
      window('store-slow', 0.1),
      window('store-answer-lost', 0.05),
      window('queue-lost', 0.1),
      window('queue-duplicated', 0.2),
      ...freezes(3, 'executor', 12),
      ...kills(16, 'executor', 16),
      ...kills(10, 'watcher', 10),
      ...kills(6, 'api', 8),
      ...kills(6, 'sweeper', 20),
    ],
    actions: withActions({ ...plan, actions: jobs }, [
      ...actions(['retry', 'run', 'cancel', 'cancel', 'pause', 'resume', 'delete'], 24),
      ...moves,
    ]),
  };
});
