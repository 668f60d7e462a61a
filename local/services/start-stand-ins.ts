import type { AwsEnvironment } from '../template/resource-type';
import type { AwsService } from './aws-call';
import { DURABLE_FUNCTIONS } from './durable/durable-execution';
import { durableFunctions, durableStarter, type StartDurable } from './durable/durable-functions';
import { ecs } from './ecs/ecs';
import type { TaskScript } from './ecs/scripts';
import { EcsTasks } from './ecs/tasks';
import type { ExternalResources } from './external-resources';
import type { StandIn, StandInDeps } from './stand-in';
import type { Script } from './step-functions/scripts';
import { MachineExecutions } from './step-functions/machine-executions';
import { stepFunctions } from './step-functions/step-functions';
import { batch, batchEventOf } from './works/batch';
import { buildEventOf, codebuild } from './works/codebuild';
import { glue, glueEventOf } from './works/glue';
import type { WorkScript } from './works/scripts';
import { Works } from './works/works';

/** How the work of services goes that stand in for those of AWS. By default each ends well after 5 s. */
export interface StandInScripts {
  stateMachines?: readonly Script[];
  durableFunctions?: readonly Script[];
  ecsTasks?: readonly TaskScript[];
  batchJobs?: readonly WorkScript[];
  glueJobs?: readonly WorkScript[];
  builds?: readonly WorkScript[];
}

interface Deps extends Omit<StandInDeps<never>, 'scripts' | 'path'> {
  external: ExternalResources;
  aws: Pick<AwsEnvironment, 'region' | 'accountId'>;
  serve(service: AwsService): unknown;
  /** Where work is kept under a name; undefined: nowhere. */
  fileOf(name: string): string | undefined;
}

/** What stands in for services that do work: nothing runs there. */
export interface StandIns {
  startDurable: StartDurable;
  working: readonly Pick<StandIn<never, never>, 'page' | 'press' | 'stop'>[];
}

/** Starts them, with what they had not ended yet. */
export function startStandIns(scripts: StandInScripts, deps: Deps): StandIns {
  const { external, aws, serve, fileOf, ...common } = deps;
  const { stateMachines = [], durableFunctions: functions = [], ecsTasks = [] } = scripts;
  const path = fileOf('state-machines.jsonl');
  const machines = new MachineExecutions({ ...common, scripts: stateMachines, path });
  serve(stepFunctions(machines, external));
  const durable = new MachineExecutions({
    ...common,
    scripts: functions,
    path: fileOf('durable-executions.jsonl'),
    ways: DURABLE_FUNCTIONS,
  });
  serve(durableFunctions(durable));
  const tasks = new EcsTasks({ ...common, scripts: ecsTasks, path: fileOf('ecs-tasks.jsonl') });
  serve(ecs(tasks, external));
  const jobs = new Works({
    ...{ ...common, service: 'batch', tell: batchEventOf },
    ...{ scripts: scripts.batchJobs ?? [], path: fileOf('batch-jobs.jsonl') },
  });
  serve(batch(jobs, external));
  const runs = new Works({
    ...{ ...common, service: 'glue', tell: glueEventOf },
    ...{ scripts: scripts.glueJobs ?? [], path: fileOf('glue-runs.jsonl') },
  });
  serve(glue(runs, external, aws));
  const builds = new Works({
    ...{ ...common, service: 'codebuild', tell: buildEventOf },
    ...{ scripts: scripts.builds ?? [], path: fileOf('builds.jsonl') },
  });
  serve(codebuild(builds, external, { ...aws, clock: common.clock }));
  return {
    startDurable: durableStarter(durable, external),
    working: [machines, durable, tasks, jobs, runs, builds],
  };
}
