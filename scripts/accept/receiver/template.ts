import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The longest delay of the scratch queue's messages is far below this; then the stack is deleted. */
const QUEUE_RETENTION_SEC = 3_600;
const RECEIVER_TIMEOUT_SEC = 300;

/**
 * What the checks need beside a deployment, as a stack of its own: one deletion removes all of it. It has the
 * receiver with its table, a scratch queue, and a rule that copies events of the deployment's bus to a queue.
 */
export function receiverTemplate(eventBus: string): object {
  const code = readFileSync(join(__dirname, 'answer.cjs'), 'utf8');
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'What npm run accept needs beside a deployment. It is deleted at the end.',
    Resources: { ...tableAndFunction(code), ...publicUrl(), ...queues(eventBus) },
    Outputs: {
      ReceiverUrl: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } },
      Arrivals: { Value: { Ref: 'Arrivals' } },
      ScratchQueue: { Value: { Ref: 'Scratch' } },
      EventQueue: { Value: { Ref: 'Events' } },
    },
  };
}

const tableAndFunction = (code: string) => ({
  Arrivals: {
    Type: 'AWS::DynamoDB::Table',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'jobId', AttributeType: 'S' },
        { AttributeName: 'arrivalId', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'jobId', KeyType: 'HASH' },
        { AttributeName: 'arrivalId', KeyType: 'RANGE' },
      ],
    },
  },
  Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 1 } },
  Role: {
    Type: 'AWS::IAM::Role',
    Properties: {
      AssumeRolePolicyDocument: allow('sts:AssumeRole', { Principal: { Service: 'lambda.amazonaws.com' } }),
      Policies: [
        { PolicyName: 'Put', PolicyDocument: allow('dynamodb:PutItem', { Resource: arnOf('Arrivals') }) },
        {
          PolicyName: 'Log',
          PolicyDocument: allow(['logs:CreateLogStream', 'logs:PutLogEvents'], { Resource: arnOf('Logs') }),
        },
      ],
    },
  },
  Receiver: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      MemorySize: 512,
      Timeout: RECEIVER_TIMEOUT_SEC,
      Role: arnOf('Role'),
      Code: { ZipFile: code },
      Environment: { Variables: { ARRIVALS: { Ref: 'Arrivals' } } },
      LoggingConfig: { LogGroup: { Ref: 'Logs' } },
    },
  },
});

/** Since October 2025, a new function URL without authorization needs both permissions. */
const publicUrl = () => ({
  Url: {
    Type: 'AWS::Lambda::Url',
    Properties: { TargetFunctionArn: arnOf('Receiver'), AuthType: 'NONE' },
  },
  MayCallUrl: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunctionUrl',
      FunctionName: { Ref: 'Receiver' },
      FunctionUrlAuthType: 'NONE',
      Principal: '*',
    },
  },
  MayInvokeByUrl: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      Action: 'lambda:InvokeFunction',
      FunctionName: { Ref: 'Receiver' },
      InvokedViaFunctionUrl: true,
      Principal: '*',
    },
  },
});

const queues = (eventBus: string) => ({
  Scratch: { Type: 'AWS::SQS::Queue', Properties: { MessageRetentionPeriod: QUEUE_RETENTION_SEC } },
  Events: { Type: 'AWS::SQS::Queue' },
  Rule: {
    Type: 'AWS::Events::Rule',
    Properties: {
      EventBusName: eventBus,
      EventPattern: { source: ['quarterjack'], detail: { jobId: [{ prefix: 'accept-' }] } },
      Targets: [{ Id: 'events', Arn: arnOf('Events') }],
    },
  },
  MaySend: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      Queues: [{ Ref: 'Events' }],
      PolicyDocument: allow('sqs:SendMessage', {
        Principal: { Service: 'events.amazonaws.com' },
        Resource: arnOf('Events'),
        Condition: { ArnEquals: { 'aws:SourceArn': arnOf('Rule') } },
      }),
    },
  },
});

const arnOf = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const allow = (Action: string | string[], more: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action, ...more }],
});
