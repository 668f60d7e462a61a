// Targets that a stack adds: what the methods `add…Target` take, and what they return.

import type { ISecurityGroup, SubnetSelection } from 'aws-cdk-lib/aws-ec2';
import type { IRole } from 'aws-cdk-lib/aws-iam';

import type { EcsLaunchProps } from './errand-props';

/** Options of targets that the stack adds. */
export interface AddTargetOptions {
  /** The only project whose jobs may call it. @default all projects */
  readonly project?: string;
}

/** Options of actions that the stack allows. */
export interface AllowActionOptions extends AddTargetOptions {
  /** Roles that a call may hand to the service. @default none */
  readonly passRoles?: IRole[];
}

/** Options of state machines that the stack adds. */
export interface AddStateMachineOptions extends AddTargetOptions {
  /**
   * An attempt ends when the execution of the state machine ends, as that ends. The machine is STANDARD.
   * @default false: an attempt has succeeded once the execution has started
   */
  readonly wait?: boolean;
}

/** Options of tasks of ECS that the stack adds. */
export interface AddEcsOptions extends AddTargetOptions {
  /**
   * The container that gets payload and ids as variables, and whose exit code counts.
   * @default the default container of the task definition
   */
  readonly container?: string;
  /** What the tasks run on. @default Fargate if the task definition fits nothing else */
  readonly launchType?: EcsLaunchProps['launchType'];
  /** In place of `launchType`: names of capacity providers of the cluster. @default none */
  readonly capacityProviders?: string[];
  /** Subnets for the network mode `awsvpc`. @default the private ones of the cluster’s VPC */
  readonly vpcSubnets?: SubnetSelection;
  /** Security groups for the network mode `awsvpc`. @default that of the VPC */
  readonly securityGroups?: ISecurityGroup[];
  /** Whether tasks have public addresses, which those in public subnets need. @default false */
  readonly assignPublicIp?: boolean;
}

/** The fields that receivers of an event bus filter by. */
export interface BusEventProps {
  /** `source` of the events: not `quarterjack`, nor beginning with `quarterjack.` or `aws.`. */
  readonly source: string;
  /** `detail-type` of the events. */
  readonly detailType: string;
}

/** A function as the target of a job. */
export interface LambdaTarget {
  /** The type of the target. */
  readonly type: 'lambda';
  /** ARN of the function. */
  readonly functionArn: string;
}

/** A version or alias of a durable function as the target of a job. */
export interface DurableTarget extends LambdaTarget {
  /** An attempt ends as the durable execution ends that it starts. */
  readonly durable: true;
}

/** A queue as the target of a job. */
export interface QueueTarget {
  /** The type of the target. */
  readonly type: 'sqs';
  /** URL of the queue. */
  readonly queueUrl: string;
}

/** A topic as the target of a job. */
export interface TopicTarget {
  /** The type of the target. */
  readonly type: 'sns';
  /** ARN of the topic. */
  readonly topicArn: string;
}

/** An event bus as the target of a job. */
export interface BusTarget extends BusEventProps {
  /** The type of the target. */
  readonly type: 'eventbridge';
  /** ARN of the bus. */
  readonly eventBusName: string;
}

/** A state machine as the target of a job. */
export interface StateMachineTarget {
  /** The type of the target. */
  readonly type: 'stepfunctions';
  /** ARN of the state machine. */
  readonly stateMachineArn: string;
  /**
   * The attempt ends when the execution of the state machine ends.
   * @default absent: it ends once the execution has started
   */
  readonly wait?: true;
}

/** A task of ECS as the target of a job. */
export interface EcsTarget {
  /** The type of the target. */
  readonly type: 'ecs';
  /** ARN of the task definition. */
  readonly taskDefinitionArn: string;
  /** ARN of the cluster. */
  readonly clusterArn: string;
  /** The container that gets the variables. @default absent: none gets any */
  readonly container?: string;
}

/** A job of Batch as the target of a job. */
export interface BatchTarget {
  /** The type of the target. */
  readonly type: 'batch';
  /** ARN of the job definition. */
  readonly jobDefinitionArn: string;
  /** ARN of the job queue. */
  readonly jobQueueArn: string;
}

/** A run of a Glue job as the target of a job. */
export interface GlueTarget {
  /** The type of the target. */
  readonly type: 'glue';
  /** ARN of the Glue job. */
  readonly glueJobArn: string;
}

/** A build of CodeBuild as the target of a job. */
export interface CodeBuildTarget {
  /** The type of the target. */
  readonly type: 'codebuild';
  /** ARN of the project. */
  readonly projectArn: string;
}
