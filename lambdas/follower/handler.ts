import { systemClock } from '../core/clock/system-clock';
import { systemRandom } from '../core/clock/system-random';
import { FollowerEnv } from '../core/contracts/env';
import type { SpansMessage } from '../core/contracts/otlp';
import { documentsOf, dynamoClient, sqsClient } from '../core/platform/clients';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { secretsManagerSecret } from '../core/platform/secrets-manager-secret';
import { streamHandler } from '../core/platform/stream-handler';
import { archiveAt } from '../core/platform/archives';
import { sqsRequestQueue } from '../core/queue/sqs/sqs-request-queue';
import { dynamoEndsJournal } from '../core/store/dynamo/dynamo-ends-journal';
import { dynamoRunLabelStore } from '../core/store/dynamo/dynamo-run-label-store';
import { dynamoFlowStore } from '../core/store/dynamo/dynamo-flow-store';
import { dynamoExecutionStore } from '../core/store/dynamo/executions/dynamo-execution-store';
import { dynamoJobStore } from '../core/store/dynamo/jobs/dynamo-job-store';
import { cachedFlows } from '../core/store/unchanging-rows';
import { follow, type FollowerDeps, journalStart } from './follow';

const env = loadEnv(FollowerEnv, process.env);
const log = powertoolsLog('follower');
const meter = powertoolsMeter('follower', env);
const clock = systemClock;
const random = systemRandom;
const documents = documentsOf(dynamoClient());
const executions = { documents, table: env.EXECUTIONS_TABLE, clock, random };

const secret = secretsManagerSecret(env.SIGNING_SECRET_ARN);
const journal = env.JOURNAL === 'on' ? dynamoEndsJournal(executions) : undefined;
const begin = journal && journalStart(journal);

function spansWith(sampling: NonNullable<typeof env.SAMPLING>): NonNullable<FollowerDeps['spans']> {
  return {
    sampling,
    secret,
    queue: sqsRequestQueue<SpansMessage>({ sqs: sqsClient(), clock, random }, env.SPANS_QUEUE_URL),
    executions: dynamoExecutionStore({ ...executions, heartbeats: documents }),
    jobs: dynamoJobStore({ ...executions, table: env.JOBS_TABLE }),
    flows: cachedFlows(dynamoFlowStore(executions)),
  };
}

const spans = env.SAMPLING ? spansWith(env.SAMPLING) : undefined;
const labels = journal && dynamoRunLabelStore(executions);
const history = env.HISTORY_EXPORT && {
  ...env.HISTORY_EXPORT,
  secret,
  archive: archiveAt(env.HISTORY_EXPORT.to, clock),
};
const deps = {
  journal,
  labels,
  history: history ?? undefined,
  spans,
  clock,
  log,
  meter,
  retentionDays: env.RETENTION_DAYS,
};

export const handler = streamHandler({ log, meter }, async (changes, stream) => {
  await begin?.(changes, stream);
  return follow(changes, deps);
});
