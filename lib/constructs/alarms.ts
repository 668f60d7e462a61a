import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';
import type { AlarmSpec, AlarmSpecs } from './alarm-spec';
import { canaryAlarms, lagAlarms, pipelineAlarms, platformAlarms, workflowAlarms } from './alarm-specs';
import type { MonitoredResources } from './monitored-resources';
import { executorAlarms } from './pool-alarms';

export interface AlarmsProps extends MonitoredResources {
  readonly topic: Topic;
  readonly config: Pick<StageConfig, 'alarms' | 'canary' | 'runbookUrl'>;
}

/** What users would notice: nothing runs, jobs fail to run, or requests fail. */
const FEWEST = /^(Canary|CursorLag|DidNotRun|AuditorSilent|DeadLetters.*|FunctionErrors.*|ApiFaults)$/;

const ON_BAD_VERSIONS = /^(FunctionErrors.*|ApiFaults)$/;

/**
 * All alarms of the stack. The description of each ends with a link to its section of the runbook. Alarms on
 * what runs periodically (tick, auditor, canary) treat missing data as breaching: what is broken may be
 * unable to report.
 */
export class Alarms extends Construct {
  private readonly byName = new Map<string, Alarm>();

  constructor(
    scope: Construct,
    id: string,
    private readonly props: AlarmsProps,
  ) {
    super(scope, id);
    const choice = props.config.alarms;
    this.addAll({
      ...(props.config.canary && canaryAlarms(this)),
      ...pipelineAlarms(this, props, choice),
      ...workflowAlarms(this),
      ...lagAlarms(this, props, choice),
      ...platformAlarms(props, choice),
      ...executorAlarms(props, choice),
    });
  }

  /** Adds the alarms of a stage that a deployment may get after all others. */
  addLate(specs: AlarmSpecs): void {
    this.addAll(specs);
  }

  private addAll(specs: AlarmSpecs): void {
    const isFew = this.props.config.alarms === 'fewest';
    for (const [name, spec] of Object.entries<AlarmSpec>(specs))
      if (!isFew || FEWEST.test(name)) this.add(name, spec, this.props);
  }

  /** The alarms that tell of a bad new version: functions that fail, and an API that answers 5xx. */
  get onBadVersions(): Alarm[] {
    return [...this.byName].flatMap(([name, alarm]) => (ON_BAD_VERSIONS.test(name) ? alarm : []));
  }

  private add(name: string, spec: AlarmSpec, { topic, config }: AlarmsProps): void {
    const [datapointsToAlarm, evaluationPeriods] = spec.datapoints;
    const isFloor = 'below' in spec.breaching;
    const alarm = new Alarm(this, name, {
      alarmDescription: `${spec.summary} Runbook: ${config.runbookUrl}#${spec.section}`,
      metric: spec.metric,
      threshold: 'below' in spec.breaching ? spec.breaching.below : spec.breaching.above,
      comparisonOperator: isFloor
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm,
      evaluationPeriods,
      treatMissingData:
        spec.missingData === 'breaching' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    this.byName.set(name, alarm);
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}
