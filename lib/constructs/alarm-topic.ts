import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';

import type { StageConfig } from '../config/stage-config';

export interface AlarmTopicProps {
  readonly config: Pick<StageConfig, 'alarmDestination' | 'alarmTopicKey'>;
}

/**
 * Topic that receives the alarms. The configured destination is subscribed; operators may add subscriptions.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { config }: AlarmTopicProps) {
    super(scope, id);
    const { alarmDestination: destination, alarmTopicKey: hasKey } = config;
    const fromAlarmsOfThisAccount = {
      StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
      ArnLike: { 'aws:SourceArn': Stack.of(this).formatArn({ service: 'cloudwatch', resource: 'alarm:*' }) },
    };
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    const masterKey = hasKey ? this.keyFor(cloudWatch, fromAlarmsOfThisAccount) : undefined;
    this.topic = new Topic(this, 'Topic', { masterKey, enforceSSL: true });
    if (!hasKey)
      Validations.of(this.topic).acknowledge({
        id: 'AwsSolutions-SNS2',
        reason:
          'Messages name alarms and their thresholds, and nothing of users. A key costs a dollar a month.',
      });
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: fromAlarmsOfThisAccount,
      }),
    );
    if (destination === undefined) return;
    const subscription = destination.startsWith('https://')
      ? new UrlSubscription(destination)
      : new EmailSubscription(destination);
    this.topic.addSubscription(subscription);
  }
  /**
   * A customer managed key: CloudWatch may not use the AWS managed key of SNS, and its alarms would never
   * arrive.
   */
  private keyFor(cloudWatch: ServicePrincipal, conditions: Record<string, object>): Key {
    const key = new Key(this, 'Key', {
      description: 'Encrypts the messages of the alarm topic',
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.DESTROY, // no stored data is encrypted with it
    });
    key.addToResourcePolicy(
      new PolicyStatement({
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'], // in a key policy, `*` is the key itself
        conditions,
      }),
    );
    return key;
  }
}
