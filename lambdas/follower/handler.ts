import { systemClock } from '../core/clock/system-clock';
import { systemRandom } from '../core/clock/system-random';
import { FollowerEnv } from '../core/contracts/env';
import { documentsOf, dynamoClient } from '../core/platform/clients';
import { loadEnv } from '../core/platform/load-env';
import { powertoolsLog } from '../core/platform/logger';
import { powertoolsMeter } from '../core/platform/meter';
import { streamHandler } from '../core/platform/stream-handler';
import { dynamoEndsJournal } from '../core/store/dynamo/dynamo-ends-journal';
import { follow, journalStart } from './follow';

const env = loadEnv(FollowerEnv, process.env);
const log = powertoolsLog('follower');
const journal = dynamoEndsJournal({
  documents: documentsOf(dynamoClient()),
  table: env.EXECUTIONS_TABLE,
  clock: systemClock,
  random: systemRandom,
});
const begin = journalStart(journal);
const deps = { journal, clock: systemClock, log, retentionDays: env.RETENTION_DAYS };

export const handler = streamHandler(
  { log, meter: powertoolsMeter('follower', env) },
  async (changes, stream) => {
    await begin(changes, stream);
    return follow(changes, deps);
  },
);
