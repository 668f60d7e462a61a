import { Lazy } from 'aws-cdk-lib';
import { CfnQueryDefinition, type ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';

import { deploymentOf } from './deployment-name';

export interface LogQueriesProps {
  /** The logs of all functions, and the access log. */
  readonly logGroups: readonly ILogGroup[];
}

/** Each is a question of `docs/runbook.md`. The operator fills in PROJECT/JOB. */
const QUERIES = {
  errors: `fields @timestamp, service, message, jobKey, execId, error.message, error.errors.0.message, error.errors.0.cause.message
| filter level = "ERROR" or record.status = "timeout"
| sort @timestamp desc | limit 100`,
  job: `fields @timestamp, service, message, jobKey, execId, error.message
| filter jobKey = "PROJECT/JOB"
| sort @timestamp asc | limit 1000`,
  refused: `fields @timestamp, route, status, user, apiKey, problem, authorizerError, integrationError
| filter ispresent(route) and status >= 400
| sort @timestamp desc | limit 100`,
} as const;

/**
 * Saved queries of CloudWatch Logs Insights, over all logs of the deployment. Log groups have generated
 * names, which an operator would have to pick one by one. A query is free until it runs.
 */
export class LogQueries extends Construct {
  private readonly logGroups: Set<ILogGroup>;

  constructor(scope: Construct, id: string, { logGroups }: LogQueriesProps) {
    super(scope, id);
    this.logGroups = new Set(logGroups);
    const produce = () => [...this.logGroups].map(({ logGroupName }) => logGroupName);
    for (const [name, queryString] of Object.entries(QUERIES))
      new CfnQueryDefinition(this, name, {
        name: `${deploymentOf(this)}/${name}`,
        queryString,
        logGroupNames: Lazy.list({ produce }),
      });
  }

  /** Asks the logs of one more function, too. */
  add(logGroup: ILogGroup): void {
    this.logGroups.add(logGroup);
  }
}
