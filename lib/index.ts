/** What `@quarterjack/cdk` exports: Quarterjack as a part of your own CDK app. */
export { Quarterjack } from './quarterjack';
export type {
  AddTargetOptions,
  FunctionRole,
  MachineClientProps,
  ManageJobsOptions,
  PoolProps,
  QuarterjackProps,
  QuotaProps,
  SignInProps,
  TargetRoleProps,
} from './quarterjack-props';
export { ScheduledJob, type ScheduledJobProps } from './scheduled-job';
