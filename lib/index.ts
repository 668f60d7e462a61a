/** What `@quarterjack/cdk` exports: Quarterjack as a part of your own CDK app. */
export type {
  AllowedActionProps,
  DomainProps,
  FunctionRole,
  MachineClientProps,
  ManageJobsOptions,
  HistoryExportProps,
  OtlpProps,
  ProjectsProps,
  SignedCallProps,
  SigningProps,
  SignInProps,
  TargetRoleProps,
} from './access-props';
export type {
  AddEcsOptions,
  AllowActionOptions,
  AddStateMachineOptions,
  AddTargetOptions,
  BatchTarget,
  BusEventProps,
  BusTarget,
  CodeBuildTarget,
  DurableTarget,
  EcsTarget,
  GlueTarget,
  LambdaTarget,
  QueueTarget,
  StateMachineTarget,
  TopicTarget,
} from './added-target';
export type {
  MaxConcurrencyProps,
  PollersProps,
  PoolProps,
  VpcProps,
  QueueName,
  QuotaProps,
  TableCapacityProps,
  UnitsProps,
} from './capacity-props';
export type { EcsErrandsProps, EcsLaunchProps, ErrandsProps } from './errand-props';
export type { IQuarterjack, QuarterjackAttributes } from './deployment-attributes';
export { JobFunction, type JobFunctionProps } from './job-function';
export { type MetricName, Quarterjack } from './quarterjack';
export type { QuarterjackProps } from './quarterjack-props';
export { ScheduledJob, type ScheduledJobProps } from './scheduled-job';
