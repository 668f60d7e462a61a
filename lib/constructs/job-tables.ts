import {
  AttributeType,
  Billing,
  Capacity,
  type ITable,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
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
import type { TableCapacity } from '../config/capacity';
import type { StageConfig } from '../config/stage-config';
import type { Binding } from './binding';
import { removalPolicyOf } from './removal-policy';

/** Calls that a stage may need. The IAM action of the same name permits each. */
type TableCall =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'Scan'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem';

export interface JobTablesProps {
  readonly config: Pick<StageConfig, 'removal' | 'capacity' | 'journal' | 'otlp' | 'historyExport'>;
}

/** A table with at most one global index. */
export interface IndexedTable extends ITable {
  readonly indexName: string | undefined;
}

/** Part of the provisioned units that autoscaling aims to use. The rest serves load until it has scaled. */
const UTILIZATION_PERCENT = 80;

/** Whether a function reads the stream of executions. */
export const isFollowed = ({
  journal,
  otlp,
  historyExport,
}: Pick<StageConfig, 'journal' | 'otlp' | 'historyExport'>): boolean =>
  journal || otlp !== undefined || historyExport !== undefined;

/** The tables: job definitions, execution history, and schedule entries by their time. */
export class JobTables extends Construct {
  readonly jobs: KeyedTable<'JOBS_TABLE'>;
  readonly executions: KeyedTable<'EXECUTIONS_TABLE'>;
  readonly schedule: KeyedTable<'SCHEDULE_TABLE'>;

  constructor(scope: Construct, id: string, { config }: JobTablesProps) {
    super(scope, id);
    const { removal, capacity } = config;
    this.jobs = new KeyedTable(this, 'Jobs', {
      variable: 'JOBS_TABLE',
      key: JOBS_KEY,
      removal,
      capacity: capacity?.jobs,
    });
    this.executions = new KeyedTable(this, 'Executions', {
      variable: 'EXECUTIONS_TABLE',
      key: EXECUTIONS_KEY,
      index: { name: FAILURES_INDEX, key: FAILURES_KEY },
      removal,
      capacity: capacity?.executions,
      ...(isFollowed(config) && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    });
    this.schedule = new KeyedTable(this, 'Schedule', {
      variable: 'SCHEDULE_TABLE',
      key: SCHEDULE_KEY,
      removal,
      capacity: capacity?.schedule,
    });
  }

  get all(): readonly IndexedTable[] {
    return [this.jobs, this.executions, this.schedule];
  }
}

interface KeyedTableProps<Variable extends string> extends Pick<StageConfig, 'removal'> {
  readonly capacity: TableCapacity | undefined;
  readonly variable: Variable;
  readonly key: Key;
  /**
   * A global index that projects all attributes. It is sparse: it holds only rows that have both of its keys.
   */
  readonly index?: { readonly name: string; readonly key: Key };
  /** What its stream has of each change. @default it has no stream */
  readonly dynamoStream?: StreamViewType;
}

interface Key {
  readonly partition: string;
  readonly sort: string;
}

/**
 * A table. Its construct id determines its logical id, so renaming it replaces the table and loses
 * its rows.
 */
class KeyedTable<Variable extends string> extends TableV2 {
  readonly indexName: string | undefined;
  private readonly variable: Variable;

  constructor(scope: Construct, id: string, props: KeyedTableProps<Variable>) {
    const { variable, key, index, removal, capacity, dynamoStream } = props;
    super(scope, id, {
      ...keysOf(key),
      globalSecondaryIndexes: index && [{ indexName: index.name, ...keysOf(index.key) }],
      billing: billingOf(capacity),
      timeToLiveAttribute: TTL_ATTRIBUTE,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: removalPolicyOf(removal),
      deletionProtection: removal === 'protect',
      dynamoStream,
    });
    this.variable = variable;
    this.indexName = index?.name;
  }

  /** Binds the table's name and permission for these calls. */
  calls(...calls: [TableCall, ...TableCall[]]): Binding<Variable> {
    const statement = new PolicyStatement({
      actions: calls.map((call) => `dynamodb:${call}`),
      resources: [this.tableArn],
    });
    return { env: { [this.variable]: this.tableName } as Record<Variable, string>, statements: [statement] };
  }

  /** Calls of a table, for the rows alone whose partition key begins with a text. */
  callsOnRows(
    prefixes: string | readonly string[],
    ...calls: [TableCall, ...TableCall[]]
  ): Binding<Variable> {
    const { env, statements } = this.calls(...calls);
    for (const statement of statements)
      statement.addCondition('ForAllValues:StringLike', {
        'dynamodb:LeadingKeys': [prefixes].flat().map((prefix) => `${prefix}*`),
      });
    return { env, statements };
  }

  /** Binds permission to read its stream. Throws if it has none. */
  readingStream(): Binding<never> {
    const { tableStreamArn } = this;
    if (tableStreamArn === undefined) throw new Error(`${this.node.path} has no stream`);
    const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    const statement = new PolicyStatement({
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [tableStreamArn],
    });
    return { env: {}, statements: [statement] };
  }

  /** Binds permission to query an index. */
  queryingIndex(name: string): Binding<never> {
    const statement = new PolicyStatement({
      actions: ['dynamodb:Query'],
      resources: [`${this.tableArn}/index/${name}`],
    });
    return { env: {}, statements: [statement] };
  }
}

function billingOf(capacity: TableCapacity | undefined): Billing {
  if (!capacity) return Billing.onDemand();
  return Billing.provisioned({
    readCapacity: autoscaled(capacity.read),
    writeCapacity: autoscaled(capacity.write),
  });
}

const autoscaled = ({ min, max }: TableCapacity['read']): Capacity =>
  Capacity.autoscaled({
    minCapacity: min,
    maxCapacity: max,
    targetUtilizationPercent: UTILIZATION_PERCENT,
  });

const keysOf = ({ partition, sort }: Key) => ({
  partitionKey: { name: partition, type: AttributeType.STRING },
  sortKey: { name: sort, type: AttributeType.STRING },
});
