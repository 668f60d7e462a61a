import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

import type { Binding } from './binding';
import { deploymentOf } from './deployment-name';

/**
 * Topic that sends the mails of notifications. The API subscribes addresses, each with a filter by project;
 * their owners confirm. The key of SNS in this account encrypts it, free of charge.
 */
export class EmailTopic extends Construct {
  private readonly topic: Topic;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.topic = new Topic(this, 'Topic', {
      displayName: deploymentOf(this),
      masterKey: Alias.fromAliasName(this, 'Key', 'alias/aws/sns'),
      enforceSSL: true,
    });
  }

  /**
   * Binds the topic, and permission to subscribe addresses, to see which are confirmed, and to end that.
   * The service authorization reference of SNS names no resource for the last two: IAM accepts only `*`
   * (https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonsns.html).
   */
  subscribing = (): Binding<'EMAIL_TOPIC_ARN'> => {
    const { env, statements } = this.allow('sns:Subscribe', 'sns:ListSubscriptionsByTopic');
    const actions = ['sns:GetSubscriptionAttributes', 'sns:Unsubscribe'];
    return { env, statements: [...statements, new PolicyStatement({ actions, resources: ['*'] })] };
  };

  /** Binds the topic, and permission to send mails. */
  publishing = (): Binding<'EMAIL_TOPIC_ARN'> => this.allow('sns:Publish');

  private allow(...actions: string[]): Binding<'EMAIL_TOPIC_ARN'> {
    const { topicArn } = this.topic;
    return {
      env: { EMAIL_TOPIC_ARN: topicArn },
      statements: [new PolicyStatement({ actions, resources: [topicArn] })],
    };
  }
}
