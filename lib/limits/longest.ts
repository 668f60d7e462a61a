// The longest text that a value of a template can have in AWS. Names of queues and functions, and the region,
// are known at deployment alone; limits hold for the names that they become there.

/** Resources of a template by logical id, as CloudFormation gets them. */
export type Resources = ReadonlyMap<string, TemplateResource>;

export interface TemplateResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

/** The longest of all regions and partitions. */
const REGION = 'ap-southeast-7';
const ACCOUNT = '123456789012';
const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws-us-gov',
  'AWS::Region': REGION,
  'AWS::URLSuffix': 'amazonaws.com.cn',
};

/** What CloudFormation adds to the name of a stack and a logical id; what most services allow in all. */
const RANDOM = 13;
const DEFAULT_MAX = 64;

interface Named {
  /** The property that gives a name; without it, CloudFormation makes one. */
  readonly property?: string;
  /** Characters that the service allows in a name. */
  readonly max?: number;
  /** The service of its ARN, and what stands before the name there. */
  readonly arn?: string;
  /** What `Ref` is. @default the name */
  readonly ref?: 'arn' | ((name: string) => string);
}

const LONGEST_FUNCTION = `arn:aws-us-gov:lambda:${REGION}:${ACCOUNT}:function:${'x'.repeat(DEFAULT_MAX)}`;
const ofLength = (length: number) => (): string => 'x'.repeat(length);

const TYPES: Readonly<Record<string, Named>> = {
  'AWS::SQS::Queue': {
    property: 'QueueName',
    max: 80,
    arn: 'sqs:',
    ref: (name) => `https://sqs.${REGION}.amazonaws.com/${ACCOUNT}/${name}`,
  },
  'AWS::DynamoDB::GlobalTable': { property: 'TableName', max: 255, arn: 'dynamodb:table/' },
  'AWS::Lambda::Function': { property: 'FunctionName', max: 64, arn: 'lambda:function:' },
  'AWS::Lambda::Alias': { property: 'Name', max: 128, ref: (name) => `${LONGEST_FUNCTION}:${name}` },
  'AWS::Lambda::Version': { ref: () => `${LONGEST_FUNCTION}:9999999` },
  'AWS::IAM::Role': { property: 'RoleName', max: 64, arn: 'iam:role/' },
  'AWS::SNS::Topic': { property: 'TopicName', max: 256, arn: 'sns:', ref: 'arn' },
  'AWS::Events::EventBus': { property: 'Name', max: 256, arn: 'events:event-bus/' },
  'AWS::SecretsManager::Secret': { property: 'Name', max: 128, arn: 'secretsmanager:secret:', ref: 'arn' },
  'AWS::Logs::LogGroup': { property: 'LogGroupName', max: 128, arn: 'logs:log-group:' },
  'AWS::KMS::Key': { max: 36, arn: 'kms:key/' },
  'AWS::Scheduler::ScheduleGroup': { property: 'Name', max: 64, arn: 'scheduler:schedule-group/' },
  'AWS::Scheduler::Schedule': { property: 'Name', max: 64, arn: 'scheduler:schedule/default/' },
  'AWS::ApiGatewayV2::Api': { ref: ofLength(10) },
  'AWS::Cognito::UserPool': { ref: ofLength(REGION.length + 10), arn: 'cognito-idp:userpool/' },
  'AWS::Cognito::UserPoolClient': { ref: ofLength(26) },
  'AWS::Lambda::LayerVersion': { max: 140, arn: 'lambda:layer:', ref: 'arn' },
};

/** Attributes that are neither a name nor an ARN. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  ApiEndpoint: `https://${'x'.repeat(10)}.execute-api.${REGION}.amazonaws.com`,
  ProviderURL: `https://cognito-idp.${REGION}.amazonaws.com/${REGION}_${'x'.repeat(9)}`,
};
/** Longer than an ARN of a function or queue: what another stack gives, and what no table knows. */
const UNKNOWN = 'x'.repeat(150);

export interface Longest {
  readonly stackName: string;
  readonly resources: Resources;
}

/** The longest text of a resolved value. Lists and objects keep their form. */
export function longestOf(value: unknown, within: Longest): unknown {
  if (Array.isArray(value)) return value.map((item) => longestOf(item, within));
  if (typeof value !== 'object' || value === null) return value;
  const [only, ...others] = Object.entries(value);
  if (only && others.length === 0 && (only[0] === 'Ref' || only[0].startsWith('Fn::')))
    return intrinsic(only[0], only[1], within);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, longestOf(item, within)]));
}

function intrinsic(name: string, argument: unknown, within: Longest): unknown {
  if (name === 'Ref') return refOf(String(argument), within);
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = argument as [string, string];
    return attributeOf(id, attribute, within);
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = longestOf(argument, within) as [string, unknown[]];
    return Array.isArray(parts) ? parts.map(String).join(separator) : UNKNOWN;
  }
  if (name === 'Fn::Select') {
    const [index, parts] = longestOf(argument, within) as [number, unknown];
    return Array.isArray(parts) ? String(parts[Number(index)]) : UNKNOWN;
  }
  if (name === 'Fn::Split') {
    const [separator, text] = longestOf(argument, within) as [string, string];
    return text.split(separator);
  }
  return UNKNOWN;
}

function refOf(id: string, within: Longest): string {
  if (id === 'AWS::StackName') return within.stackName;
  if (PSEUDO[id] !== undefined) return PSEUDO[id];
  const type = typeOf(id, within);
  if (!type) return UNKNOWN;
  const name = nameOf(id, type, within);
  if (type.ref === undefined) return name;
  return type.ref === 'arn' ? arnOf(name, type) : type.ref(name);
}

function attributeOf(id: string, attribute: string, within: Longest): string {
  const type = typeOf(id, within);
  if (attribute === 'Arn' || attribute.endsWith('Arn'))
    return type ? arnOf(nameOf(id, type, within), type) : UNKNOWN;
  return ATTRIBUTES[attribute] ?? (type ? nameOf(id, type, within) : UNKNOWN);
}

const typeOf = (id: string, { resources }: Longest): Named | undefined =>
  TYPES[resources.get(id)?.Type ?? ''];

function nameOf(id: string, { property, max = DEFAULT_MAX }: Named, within: Longest): string {
  const given = property === undefined ? undefined : within.resources.get(id)?.Properties?.[property];
  if (given !== undefined) return String(longestOf(given, within));
  return 'x'.repeat(Math.min(max, within.stackName.length + id.length + 1 + RANDOM));
}

function arnOf(name: string, { arn = '' }: Named): string {
  const colon = arn.indexOf(':');
  const [service, prefix] = [arn.slice(0, colon), arn.slice(colon + 1)];
  return `arn:${PSEUDO['AWS::Partition']}:${service}:${REGION}:${ACCOUNT}:${prefix}${name}`;
}
