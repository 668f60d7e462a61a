/** A client of the AWS SDK, and what its schemas do not say. */
export interface Source {
  /** Behind `@aws-sdk/client-`. */
  client: string;
  /** What the actions of IAM begin with, if that is not the name under which requests are signed. */
  iam?: string;
  /** The actions of IAM that an operation needs, where they are not named as it is. */
  needs?: Readonly<Record<string, readonly string[]>>;
  /** Members that lead a call to another host. */
  without?: readonly string[];
  /** Operations whose rights no list can name. */
  omit?: readonly string[];
  /** The only operations that are taken, of a service with too many. */
  only?: readonly string[];
}

const OF_INSTANCES = ['Start', 'Stop', 'Reboot', 'Terminate', 'Run', 'Monitor', 'Unmonitor'];
/** PartiQL needs rights by its text. */
const PARTIQL = ['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'];

/** Global services and such with hosts of their own kind, as S3, are none of them. */
export const SOURCES: readonly Source[] = [
  { client: 'appflow' },
  { client: 'application-auto-scaling' },
  { client: 'athena' },
  { client: 'auto-scaling' },
  { client: 'backup' },
  { client: 'batch' },
  { client: 'cloudwatch', iam: 'cloudwatch' },
  { client: 'cloudwatch-logs', omit: ['PutIndexPolicy'] },
  { client: 'codebuild' },
  { client: 'codedeploy' },
  { client: 'codepipeline' },
  { client: 'database-migration-service' },
  { client: 'datasync' },
  {
    client: 'dynamodb',
    omit: PARTIQL,
    needs: {
      TransactWriteItems: [
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
        'dynamodb:DeleteItem',
        'dynamodb:ConditionCheckItem',
      ],
    },
  },
  {
    client: 'ec2',
    only: [
      ...OF_INSTANCES.map((verb) => `${verb}Instances`),
      'AttachVolume',
      'CancelSpotFleetRequests',
      'CancelSpotInstanceRequests',
      'CopyImage',
      'CopySnapshot',
      'CreateImage',
      'CreateSnapshot',
      'CreateSnapshots',
      'CreateTags',
      'CreateVolume',
      'DeleteSnapshot',
      'DeleteTags',
      'DeleteVolume',
      'DeregisterImage',
      'DetachVolume',
      'ModifyCapacityReservation',
      'ModifyFleet',
      'ModifySpotFleetRequest',
      'ModifyVolume',
    ],
  },
  { client: 'ecs' },
  { client: 'efs' },
  { client: 'eks' },
  { client: 'elastic-beanstalk' },
  { client: 'elasticache' },
  { client: 'emr' },
  { client: 'emr-serverless' },
  { client: 'eventbridge', without: ['EndpointId'] },
  { client: 'firehose' },
  { client: 'fsx' },
  { client: 'glue' },
  { client: 'imagebuilder' },
  { client: 'kafka' },
  { client: 'kinesis' },
  {
    client: 'lambda',
    needs: { Invoke: ['lambda:InvokeFunction'], InvokeAsync: ['lambda:InvokeFunction'] },
  },
  { client: 'memorydb' },
  { client: 'opensearch' },
  { client: 'rds' },
  { client: 'rds-data' },
  { client: 'redshift' },
  { client: 'redshift-data' },
  { client: 'sagemaker' },
  { client: 'secrets-manager' },
  {
    client: 'sesv2',
    without: ['EndpointId'],
    needs: { SendEmail: ['ses:SendEmail', 'ses:SendRawEmail', 'ses:SendTemplatedEmail'] },
  },
  { client: 'sfn' },
  { client: 'sns', needs: { PublishBatch: ['sns:Publish'] } },
  {
    client: 'sqs',
    needs: {
      SendMessageBatch: ['sqs:SendMessage'],
      DeleteMessageBatch: ['sqs:DeleteMessage'],
      ChangeMessageVisibilityBatch: ['sqs:ChangeMessageVisibility'],
    },
  },
  { client: 'ssm' },
  { client: 'transfer' },
  { client: 'workspaces' },
];

/** What only reads: EventBridge Scheduler refuses the same. */
const READING =
  /^(?:Get|Describe|List|Poll|Receive|Search|Scan|Query|Select|Read|Lookup|Discover|Validate|BatchGet|BatchDescribe|BatchRead|BatchCheck|BatchIs|TransactGet|AdminGet|AdminList|Retrieve|Test|IsAuthorized|InvokeModel|Check|Count|Preview|Estimate|Simulate|Filter)(?=[A-Z]|$)/;

/** What gives rights to someone, or hands out a secret. */
const GIVING =
  /(?<!Scaling|Retention|Scheduling|Backup|Index|StorageTier|Execute)Polic(?:y|ies)$|Permission|Grant|Credential|AccessKey|Password|Authoriz|BearerToken|AccessEntry|AccessConfig|AccessPoint|IdentityProvider|PodIdentity|OperationsRole|IamRoles|InstanceRole|Presigned|Invitation|DataShare|AccountLink|PublicKey|HostKey|ClientCertificate|AccessRequest|SendTaskToken/;

/** What changes the code that later runs under a role, or opens a shell where one does. */
const CODE =
  /^(?:Create|Update|Put|Publish|Register|Import)(?:Function.*|LayerVersion|EventSourceMapping|CodeSigningConfig|StateMachine.*|Document.*|Project|Job|Pipeline|.*Definition|Component|DevEndpoint|Trigger|Workflow|Blueprint|Notebook.*|.*LifecycleConfig(?:uration)?|Webhook|ApplicationVersion|PlatformVersion|Script)$|^ExecuteCommand$|Sandbox|^StartSession$|^ResumeSession$|^StartNotebook/;

/** None of these is taken, and no deployment can allow it. */
export const isRefused = (operation: string): boolean =>
  [READING, GIVING, CODE].some((rule) => rule.test(operation));
