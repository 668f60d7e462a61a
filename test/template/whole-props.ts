import type { AllowedActionProps, QuarterjackProps, SignedCallProps } from '../../lib';

/** All fields at all depths of records whose names are fixed. */
export type Whole<T> = { readonly [K in keyof T]-?: NonNullable<T[K]> };

const GATEWAY = 'arn:aws:execute-api:eu-central-1:111122223333:abc123/prod/POST/*';
export const SIGNED: [Whole<SignedCallProps>] = [
  { service: 'execute-api', resources: [GATEWAY], hosts: ['api.shop.example'] },
];
export const ALLOWED_ACTIONS: [Whole<AllowedActionProps>] = [
  {
    action: 'kinesis:PutRecord',
    resources: ['arn:aws:kinesis:eu-central-1:111122223333:stream/orders'],
    passRoles: ['arn:aws:iam::111122223333:role/etl'],
  },
];

export const OTLP: Whole<NonNullable<QuarterjackProps['otlp']>> = {
  endpoint: 'https://otel.example.com/base',
  headersSecretArn: 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:otel-a1B2c3',
  ...{ sampleRatio: 0.25, maxSampledPerMinute: 7, serviceName: 'shop-jobs', projects: ['billing'] },
};
/** In the variables of the exporter, by their names. */
export const OTLP_ARRIVES =
  /"OTLP_ENDPOINT":"https:\/\/otel\.example\.com\/base","OTLP_HEADERS_SECRET_ARN":"arn:[^"]*:otel-a1B2c3","OTLP_SERVICE_NAME":"shop-jobs"/;

const history: Whole<NonNullable<QuarterjackProps['historyExport']>> = {
  ...{ bucket: 'history-of-shop', prefix: 'jobs/', partitionBy: 'project', include: ['output'] },
};
/** `arrives`: in the variables of the follower. */
export const HISTORY = {
  props: history,
  arrives: JSON.stringify(
    JSON.stringify({ to: 's3://history-of-shop/jobs/', partitionBy: 'project', include: ['output'] }),
  ).slice(1, -1),
};
