import type { AwsSchedule } from '../../../../cli/import/eventbridge/translate';

export const LAMBDA = 'arn:aws:lambda:eu-central-1:111122223333:function:report';

/** A schedule as AWS returns it, with these fields changed. */
export const awsSchedule = (schedule: Partial<AwsSchedule> = {}): AwsSchedule => ({
  Arn: 'arn:aws:scheduler:eu-central-1:111122223333:schedule/default/report',
  Name: 'report',
  GroupName: 'default',
  ScheduleExpression: 'cron(0 9 ? * MON-FRI *)',
  ScheduleExpressionTimezone: 'Europe/Berlin',
  FlexibleTimeWindow: { Mode: 'OFF' },
  State: 'ENABLED',
  CreationDate: new Date('2026-01-02T03:04:05Z'),
  Target: {
    Arn: LAMBDA,
    RoleArn: 'arn:aws:iam::111122223333:role/r',
    Input: '{"kind":"daily"}',
    RetryPolicy: { MaximumRetryAttempts: 4, MaximumEventAgeInSeconds: 3_600 },
  },
  ...schedule,
});
/** The fields to change for another target. */
export const withTarget = (more: object): Partial<AwsSchedule> => ({
  Target: { ...awsSchedule().Target!, ...more },
});
