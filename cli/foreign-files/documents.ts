import { isObject } from '../is-object';
import { AS_JOBS, has, NO_IMPORT, type Row, some, someIn, startsWith } from './kind';

const isCloudFormation = (value: Record<string, unknown>): boolean =>
  has(value, 'AWSTemplateFormatVersion') ||
  startsWith(value.Transform, 'AWS::') ||
  someIn(value.Resources, ({ Type: type }) => startsWith(type, 'AWS::') || startsWith(type, 'Custom::'));

/** Files of clusters, of AWS, and of what builds and deploys, in YAML or JSON. */
export const DOCUMENTS: readonly Row[] = [
  {
    what: 'a template of a Helm chart',
    advice: 'import what it becomes: helm template NAME CHART | quarterjack import kubernetes -',
    is: ({ text }) => /\{\{-?\s*(?:\$?\.(?:Values|Release|Chart)\b|include\s+")/.test(text),
  },
  {
    what: 'a workflow of Argo',
    advice: `${NO_IMPORT}: its steps become tasks of a workflow`,
    is: (file) => some(file, ({ apiVersion }) => startsWith(apiVersion, 'argoproj.io/')),
  },
  {
    what: 'a file of Kustomize',
    advice: 'import what it becomes: kustomize build DIRECTORY | quarterjack import kubernetes -',
    is: (file) => some(file, ({ apiVersion }) => startsWith(apiVersion, 'kustomize.config.k8s.io/')),
  },
  {
    own: 'kubernetes',
    what: 'a manifest of Kubernetes',
    advice: 'quarterjack import kubernetes FILE takes its CronJobs',
    is: (file) =>
      some(file, ({ apiVersion, kind }) => typeof apiVersion === 'string' && typeof kind === 'string'),
  },
  {
    own: 'step-functions',
    what: 'a state machine of Step Functions',
    advice: 'use quarterjack import step-functions FILE',
    is: (file) => some(file, (value) => has(value, 'StartAt', 'States')),
  },
  {
    what: 'a template of CloudFormation or SAM',
    advice:
      'quarterjack import eventbridge reads its schedules once they are deployed, and import step-functions a definition',
    is: (file) => some(file, isCloudFormation) || /^AWSTemplateFormatVersion:/m.test(file.text),
  },
  {
    what: 'a configuration of the Serverless Framework',
    advice: 'quarterjack import eventbridge reads its schedules once they are deployed',
    is: (file) => some(file, (value) => has(value, 'service', 'provider') && !has(value, 'jobs')),
  },
  {
    own: 'eventbridge',
    what: 'a schedule of EventBridge as AWS prints it',
    advice: 'use quarterjack import eventbridge FILE',
    is: (file) =>
      some(
        file,
        (value) =>
          has(value, 'ScheduleExpression') ||
          [value.Rules, value.Schedules].some((list) => Array.isArray(list) && list.every(isObject)),
      ),
  },
  {
    what: 'a workflow of GitHub Actions',
    advice: AS_JOBS,
    is: (file) =>
      some(file, ({ jobs }) =>
        someIn(jobs, (job) => has(job, 'runs-on') || (has(job, 'uses') && !has(job, 'schedule'))),
      ),
  },
  {
    what: 'a pipeline of GitLab or Azure',
    advice: AS_JOBS,
    is: (file) =>
      some(
        file,
        (value) =>
          (Array.isArray(value.stages) && someIn(value, (job) => has(job, 'script'))) ||
          (has(value, 'pool') && (Array.isArray(value.steps) || Array.isArray(value.stages))),
      ),
  },
  {
    what: 'a file of Docker Compose',
    advice: `${NO_IMPORT}: quarterjack work runs a command on its machine`,
    is: (file) =>
      some(file, ({ services }) => someIn(services, (one) => has(one, 'image') || has(one, 'build'))),
  },
  {
    what: 'a playbook of Ansible',
    advice: AS_JOBS,
    is: ({ list }) => list.some((play) => isObject(play) && has(play, 'hosts')),
  },
  {
    what: 'a process of DolphinScheduler',
    advice: `${NO_IMPORT}: docs/coming-from-dolphinscheduler.md says what becomes of each part`,
    is: (file) =>
      [...file.objects, ...file.list.filter(isObject)].some(
        (value) => has(value, 'processDefinition') || has(value, 'taskDefinitionList'),
      ),
  },
  {
    what: 'a state of Terraform',
    advice: 'quarterjack import eventbridge reads schedules from the account',
    is: (file) => some(file, (value) => has(value, 'terraform_version')),
  },
];
