import { Metric, type MetricName } from '../../../lambdas/core/contracts/metrics';
import { everywhere, noProblems, onAws, type Step } from '../check';
import type { AwsSite, Site } from '../site/site';
import { resourcesOf } from '../site/stacks';
import { until } from '../until';
import { alarmMail, alarms } from './alarms';
import { drift } from './drift';

/** What every deployment has recorded after the checks before. */
const RECORDED: readonly MetricName[] = [
  Metric.registered,
  Metric.dispatched,
  Metric.claimed,
  Metric.succeeded,
  Metric.failed,
  Metric.retried,
  Metric.latenessMs,
  Metric.cursorLagSec,
  Metric.sweepLagSec,
];
/** The canary checks a job when it makes the next but one. */
const OF_CANARY: readonly MetricName[] = [Metric.canaryRegistrationMs, Metric.canaryDeliveryMs];
/** CloudWatch lists a new metric up to fifteen minutes after its first value. */
const LISTED_WITHIN_MS = 20 * 60_000;

export const watching: Step = {
  name: 'watching',
  title: 'Watching: alarms, metrics, logs and events tell of it',
  checks: [
    onAws('watching/alarms', 'All alarms of the stack exist, and none is on', alarms),
    onAws('watching/alarm-mail', 'An alarm reaches its topic’s subscribers', alarmMail, 'disturb'),
    everywhere('watching/metrics', 'The metrics of this run are recorded', (site) => metrics(site, RECORDED)),
    onAws('watching/drift', 'No resource has drifted from the template', drift),
    onAws('watching/canary', 'The canary, if there is one, has measured a delivery', canary),
    everywhere('watching/events', 'The bus got the event of an execution that failed', events),
    everywhere('watching/errors', 'No function has written a line of level ERROR', errors),
  ],
};

async function canary(site: AwsSite) {
  const alarmNames = await resourcesOf(site.clients.cloudFormation, site.stackName, 'AWS::CloudWatch::Alarm');
  const isOff = !alarmNames.some((name) => /AlarmsCanary/.test(name));
  return isOff ? noProblems([], 'the stage has none') : metrics(site, OF_CANARY);
}

async function metrics(site: Site, wanted: readonly MetricName[]) {
  const patienceMs = site.kind === 'aws' ? LISTED_WITHIN_MS : site.sizes.patienceMs;
  const missingOf = (names: ReadonlySet<string>) => wanted.filter((name) => !names.has(name));
  const names = await until(site, site.metricNames, (all) => missingOf(all).length === 0, patienceMs);
  const problems = missingOf(names).map((name) => `${name} is missing`);
  return noProblems(problems, `${wanted.length} of ${wanted.length} are there`);
}

async function events(site: Site) {
  const jobId = `accept-${site.run}-gone`;
  const isOurs = (event: { type: string; jobId: string }) =>
    event.type === 'execution.failed' && event.jobId === jobId;
  const all = await until(site, site.endEvents, (some) => some.some(isOurs));
  const has = all.some(isOurs);
  return { holds: has, detail: has ? `execution.failed of ${jobId}` : `no event of ${jobId}` };
}

async function errors({ errorLines }: Site | AwsSite) {
  return noProblems(await errorLines(), 'none since the run began');
}
