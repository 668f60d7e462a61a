import type { Profile } from './draws';
import { blockedKeys } from './blocked-keys';
import { causes } from './causes';
import { calendars } from './calendars';
import { children } from './children';
import { clockChanges } from './clock-changes';
import { edits } from './edits';
import { errands } from './errands';
import { everything } from './everything';
import { executorFaults } from './executor-faults';
import { expiringRows } from './expiring-rows';
import { frozenEnvironments } from './frozen-environments';
import { gates } from './gates';
import { journal } from './journal';
import { limits } from './limits';
import { longJobs } from './long-jobs';
import { lostApiWrites } from './lost-api-writes';
import { manyShards } from './many-shards';
import { monitors } from './monitors';
import { durations, incidents, notifications } from './notifications';
import { overlapFreezes } from './overlap-freezes';
import { packs } from './packs';
import { redeliveries } from './redeliveries';
import { restoredTables } from './restored-tables';
import { rollingDeployments } from './rolling-deployments';
import { runKeys } from './run-keys';
import { runRaces } from './run-races';
import { series } from './series';
import { slowMisfires } from './slow-misfires';
import { staleReads } from './stale-reads';
import { workflows } from './workflows';
import { twoVersions } from './two-versions';
import { workers } from './workers';
import { writeKills } from './write-kills';

/** By the name that the command line takes. A seed means another run in each of them. */
export const PROFILES: ReadonlyMap<string, Profile> = new Map([
  ['chain', series],
  ['lost-api-writes', lostApiWrites],
  ['executor-faults', executorFaults],
  ['overlap-freezes', overlapFreezes],
  ['stale-reads', staleReads],
  ['slow-misfires', slowMisfires],
  ['redeliveries', redeliveries],
  ['edits', edits],
  ['long-jobs', longJobs],
  ['blocked-keys', blockedKeys],
  ['many-shards', manyShards],
  ['write-kills', writeKills],
  ['frozen-environments', frozenEnvironments],
  ['clock-changes', clockChanges],
  ['gates', gates],
  ['causes', causes],
  ['limits', limits],
  ['rolling-deployments', rollingDeployments],
  ['expiring-rows', expiringRows],
  ['workflows', workflows],
  ['run-races', runRaces],
  ['children', children],
  ['calendars', calendars],
  ['notifications', notifications],
  ['incidents', incidents],
  ['durations', durations],
  ['monitors', monitors],
  ['restored-tables', restoredTables],
  ['two-versions', twoVersions],
  ['workers', workers],
  ['errands', errands],
  ['run-keys', runKeys],
  ['journal', journal],
  ['packs', packs],
  ['everything', everything],
]);
