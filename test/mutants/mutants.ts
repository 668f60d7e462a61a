import { actionMutants } from './actions';
import { alertMutants } from './alerts';
import { apiMutants } from './api';
import { apiKeyMutants } from './api-keys';
import { attemptMutants } from './attempts';
import { calendarMutants } from './calendars';
import { causeMutants } from './causes';
import { changeMutants } from './changes';
import { circleMutants } from './circles';
import { concurrencyMutants } from './concurrency';
import { devMutants } from './dev';
import { delayedRunMutants } from './delayed-runs';
import { dispatchMutants } from './dispatch';
import { domainMutants } from './domain';
import { entryQuotaMutants } from './entry-quotas';
import { gateMutants } from './gates';
import { historyMutants } from './history';
import type { Mutant } from './mutant';
import { durableMutants } from './durable';
import { errandEndMutants } from './errand-ends';
import { errandMutants } from './errands';
import { followerMutants } from './follower';
import { exportMutants } from './history-export';
import { derivedKeyMutants } from './derived-keys';
import { runTagMutants } from './run-tags';
import { fanOutMutants } from './fan-outs';
import { keptTaskMutants } from './kept-tasks';
import { laneMutants } from './lanes';
import { markMutants } from './marks';
import { monitorMutants } from './monitors';
import { observerMutants } from './observers';
import { packMutants } from './packs';
import { pauseMutants } from './pauses';
import { payloadSchemaMutants } from './payload-schemas';
import { projectPingMutants } from './project-pings';
import { runMutants } from './runs';
import { safeguardMutants } from './safeguards';
import { signingMutants } from './signing';
import { storeMutants } from './store';
import { sweeperMutants } from './sweeper';
import { tableMutants } from './tables';
import { targetMutants } from './targets';
import { spanMutants } from './spans';
import { traceMutants } from './traces';
import { waitMutants } from './waits';
import { workerMutants } from './workers';
import { workMutants } from './works';

/** Faults of the protocol, and of what the local run keeps. Each is killed by the test that it names. */
export const MUTANTS: readonly Mutant[] = [
  ...actionMutants,
  ...alertMutants,
  ...apiMutants,
  ...apiKeyMutants,
  ...attemptMutants,
  ...calendarMutants,
  ...causeMutants,
  ...changeMutants,
  ...circleMutants,
  ...concurrencyMutants,
  ...devMutants,
  ...delayedRunMutants,
  ...dispatchMutants,
  ...domainMutants,
  ...entryQuotaMutants,
  ...errandMutants,
  ...errandEndMutants,
  ...followerMutants,
  ...derivedKeyMutants,
  ...runTagMutants,
  ...exportMutants,
  ...spanMutants,
  ...durableMutants,
  ...gateMutants,
  ...historyMutants,
  ...keptTaskMutants,
  ...laneMutants,
  ...markMutants,
  ...monitorMutants,
  ...observerMutants,
  ...packMutants,
  ...pauseMutants,
  ...payloadSchemaMutants,
  ...projectPingMutants,
  ...runMutants,
  ...fanOutMutants,
  ...safeguardMutants,
  ...signingMutants,
  ...storeMutants,
  ...sweeperMutants,
  ...tableMutants,
  ...targetMutants,
  ...traceMutants,
  ...waitMutants,
  ...workerMutants,
  ...workMutants,
];
