import type { AllowedActionProps, SignedCallProps } from '../../lib';

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
