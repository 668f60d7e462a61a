import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, Billing, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';

import {
  EXECUTIONS_KEY,
  FAILURES_INDEX,
  FAILURES_KEY,
  JOBS_KEY,
  SCHEDULE_KEY,
  TTL_ATTRIBUTE,
} from '../../lambdas/core/contracts/tables';
import type { StageConfig } from '../stage-config';
import type { Binding } from './binding';

/** Calls that a stage may ask for. Each is allowed by the IAM action of its own name and by no other. */
export type TableCall =
  'GetItem' | 'BatchGetItem' | 'Query' | 'Scan' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'BatchWriteItem';

export interface JobTablesProps {
  readonly removal: StageConfig['removal'];
}

/** Everything that must survive: definitions, history, and what is to be looked at when. */
export class JobTables extends Construct {
  readonly jobs: KeyedTable<'JOBS_TABLE'>;
  readonly executions: KeyedTable<'EXECUTIONS_TABLE'>;
  readonly schedule: KeyedTable<'SCHEDULE_TABLE'>;

  constructor(scope: Construct, id: string, { removal }: JobTablesProps) {
    super(scope, id);
    this.jobs = new KeyedTable(this, 'Jobs', { variable: 'JOBS_TABLE', key: JOBS_KEY, removal });
    this.executions = new KeyedTable(this, 'Executions', {
      variable: 'EXECUTIONS_TABLE',
      key: EXECUTIONS_KEY,
      index: { name: FAILURES_INDEX, key: FAILURES_KEY },
      removal,
    });
    this.schedule = new KeyedTable(this, 'Schedule', {
      variable: 'SCHEDULE_TABLE',
      key: SCHEDULE_KEY,
      removal,
    });
  }
}

interface KeyedTableProps<Variable extends string> extends JobTablesProps {
  readonly variable: Variable;
  readonly key: Key;
  /** A global index with all attributes; sparse, as only rows that have both of its keys are in it. */
  readonly index?: { readonly name: string; readonly key: Key };
}

interface Key {
  readonly partition: string;
  readonly sort: string;
}

/** A table on demand, whose id decides its logical id: to rename it is to lose its rows. */
export class KeyedTable<Variable extends string> extends TableV2 {
  private readonly variable: Variable;

  constructor(scope: Construct, id: string, { variable, key, index, removal }: KeyedTableProps<Variable>) {
    super(scope, id, {
      ...keysOf(key),
      globalSecondaryIndexes: index && [{ indexName: index.name, ...keysOf(index.key) }],
      billing: Billing.onDemand(),
      timeToLiveAttribute: TTL_ATTRIBUTE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: removal === 'destroy' ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      deletionProtection: removal === 'protect',
    });
    this.variable = variable;
  }

  /** The table's name, and leave to make these calls. */
  calls(...calls: [TableCall, ...TableCall[]]): Binding<Variable> {
    const statement = new PolicyStatement({
      actions: calls.map((call) => `dynamodb:${call}`),
      resources: [this.tableArn],
    });
    return { env: { [this.variable]: this.tableName } as Record<Variable, string>, statements: [statement] };
  }

  /** Leave to query an index. */
  queryingIndex(name: string): Binding<never> {
    const statement = new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${this.tableArn}/index/${name}`],
    });
    return { env: {}, statements: [statement] };
  }
}

const keysOf = ({ partition, sort }: Key) => ({
  partitionKey: { name: partition, type: AttributeType.STRING },
  sortKey: { name: sort, type: AttributeType.STRING },
});
