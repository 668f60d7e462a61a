import { Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

import { AlarmTopic } from './constructs/alarm-topic';
import { Alarms } from './constructs/alarms';
import { Console } from './constructs/console';
import { Dashboard } from './constructs/dashboard';
import { EmailTopic } from './constructs/email-topic';
import { ExecutionQueues } from './constructs/execution-queues';
import { HttpApi } from './constructs/http-api';
import { Identity } from './constructs/identity';
import { JobTables } from './constructs/job-tables';
import { RequestQueues } from './constructs/request-queues';
import { SigningSecret } from './constructs/signing-secret';
import { LifecycleEvents } from './constructs/lifecycle-events';
import { StageFunctions } from './constructs/stage-functions';
import { SCANNER_TIMEOUT, SWEEPER_TIMEOUT } from './constructs/stage-settings';
import { TickSchedules } from './constructs/tick-schedules';
import type { StageConfig } from './config/stage-config';

/** Tag of every resource that can have one: its value, the stack's name, splits the bill by stage. */
const DEPLOYMENT_TAG = 'quarterjack:deployment';

export interface QuarterjackStackProps extends StackProps {
  readonly config: StageConfig;
  /** Folder with one folder per stage, each holding the stage's bundle as `index.mjs`. */
  readonly bundlesDir: string;
}

/** All of Quarterjack, in this order: storage, queues, API, functions, schedules, monitoring. */
export class QuarterjackStack extends Stack {
  constructor(scope: Construct, id: string, { config, bundlesDir, ...props }: QuarterjackStackProps) {
    const { removal, capacity } = config;
    super(scope, id, {
      description: 'Quarterjack, a serverless distributed job scheduler',
      terminationProtection: removal === 'protect',
      ...props,
    });

    Tags.of(this).add(DEPLOYMENT_TAG, this.stackName);

    const tables = new JobTables(this, 'Tables', { removal, capacity });
    const signingSecret = new SigningSecret(this, 'SigningSecret', { removal });
    const requestQueues = new RequestQueues(this, 'Requests', {
      scannerTimeout: SCANNER_TIMEOUT,
      sweeperTimeout: SWEEPER_TIMEOUT,
    });
    const executionQueues = new ExecutionQueues(this, 'Executions', { pools: config.pools });

    const http = new HttpApi(this, 'Http', { config });
    const consoleUrl = config.console ? `${http.url}/console/` : undefined;
    const identity = new Identity(this, 'Identity', { config, consoleUrl });
    const events = new LifecycleEvents(this, 'Lifecycle', { choice: config.lifecycleEvents });

    const stages = new StageFunctions(this, 'Stages', {
      config,
      defaults: {
        bundlesDir,
        logRetention: config.logRetentionDays,
        reservedConcurrency: config.reservedConcurrency,
      },
      identity,
      tables,
      executionQueues,
      requestQueues,
      signingSecret,
      callback: http.callback(),
      console: http.console(),
      emails: new EmailTopic(this, 'Emails'),
      signIn: identity.signingIn(),
      ownHost: http.host,
      events,
    });
    http.routeTo(stages);
    if (identity.console)
      new Console(this, 'Console', { config, http, bundlesDir, signIn: identity.console });
    const canary = stages.addCanary(http.url);
    new TickSchedules(this, 'Clock', { api: stages.api, tick: stages.tick, auditor: stages.auditor, canary });

    const provisionedTables = capacity ? tables.all : [];
    const monitored = {
      httpApi: http.api,
      functions: stages.byStage,
      executionQueues,
      requestQueues,
      provisionedTables,
    };
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { destination: config.alarmDestination });
    new Alarms(this, 'Alarms', { ...monitored, topic, runbookUrl: config.runbookUrl });
    new Dashboard(this, 'Dashboard', { ...monitored, config });
  }
}
