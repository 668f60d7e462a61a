import { recheckMessage } from '../core/alerts/recheck-message';
import { tellLate } from '../core/alerts/tell-late';
import type { SweeperDeps } from './recheck';
import { recheckErrand } from './recheck-errand';
import { recheckJobTime } from './recheck-job-time';
import { recheckMonitored } from './recheck-monitored';
import { recheckRun } from './recheck-run';

/**
 * What stands behind the sweeper's own ports: a recheck knows neither errands, monitors, runs nor
 * notifications.
 */
export const sweeperPorts: Pick<
  SweeperDeps,
  'recheckErrand' | 'recheckJobTime' | 'recheckMonitored' | 'recheckRun' | 'notify'
> = {
  recheckErrand,
  recheckMonitored,
  recheckRun,
  recheckJobTime,
  notify: { recheckMessage, tellLate },
};
