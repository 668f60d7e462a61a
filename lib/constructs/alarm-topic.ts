import { RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

import type { StageConfig } from '../stage-config';

export interface AlarmTopicProps {
  readonly destination: StageConfig['alarmDestination'];
}

/** Where alarms are sent: the configured destination, and whoever else subscribes. */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { destination }: AlarmTopicProps) {
    super(scope, id);
    const byAlarmsOfThisAccount = {
      StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
      ArnLike: { 'aws:SourceArn': Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
    };
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    // A key of its own, because CloudWatch may not use the one that AWS keeps for SNS: such alarms never arrive.
    const key = new Key(this, 'Key', {
      description: 'Encrypts alarms on their way',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY, // nothing is kept under it
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'], // in a key's policy: this key
        conditions: byAlarmsOfThisAccount,
      }),
    );
    this.topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: byAlarmsOfThisAccount,
      }),
    );
    if (destination === undefined) return;
    const subscription = destination.startsWith('https://')
      ? new UrlSubscription(destination)
      : new EmailSubscription(destination);
    this.topic.addSubscription(subscription);
  }
}
