import { recheckExpectation } from '../core/alerts/expectations';
import { recheckMessage } from '../core/alerts/recheck-message';
import { tellLate } from '../core/alerts/tell-late';
import type { SweeperDeps } from './recheck';
import { recheckErrand } from './recheck-errand';
import { recheckMonitored } from './recheck-monitored';
import { recheckRun } from './recheck-run';

/**
 * What stands behind the sweeper's own ports: a recheck knows neither errands, monitors, runs nor
 * notifications.
 */
export const sweeperPorts: Pick<SweeperDeps, 'recheckErrand' | 'recheckMonitored' | 'recheckRun' | 'notify'> =
  {
    recheckErrand,
    recheckMonitored,
    recheckRun,
    notify: { recheckExpectation, recheckMessage, tellLate },
  };
