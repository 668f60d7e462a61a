/**
 * A nightly ETL: a task of ECS extracts, a run of Glue transforms, a state machine publishes. Each is a job
 * that starts work at AWS and ends as that ends, and a workflow runs one after the other. The host of the
 * first task is taken away, and the event of the Glue run is lost. A second run is cancelled under way.
 *
 * It starts a system of its own on a free port, in which nothing runs at AWS: stand-ins wait, then end as
 * its buttons say. Exits with code 0 if all of it ends as it should; else with 1.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import cdkJson from '../cdk.json';
import { parseTaskScript } from '../local/services/ecs/scripts';
import { parseScript } from '../local/services/step-functions/scripts';
import { workScriptParser } from '../local/services/works/scripts';
import { type LocalRun, start } from '../local/start';

const HERE = (service: string) => `arn:aws:${service}:us-east-1:000000000000`;
const CLUSTER = `${HERE('ecs')}:cluster/jobs`;
const ALLOWED = [
  `${HERE('ecs')}:task-definition/extract`,
  CLUSTER,
  `${HERE('glue')}:job/transform`,
  `${HERE('states')}:stateMachine:publish`,
];
const [EXTRACT, , TRANSFORM, PUBLISH] = ALLOWED;
/** A lost event is made up for by a probe, a minute after the start. */
const WITHIN_MS = 180_000;

/** Work that an attempt waits for. Only the workflow starts it. */
const STEPS = {
  extract: {
    target: {
      type: 'ecs',
      taskDefinitionArn: EXTRACT,
      clusterArn: CLUSTER,
      container: 'app',
      environment: { DAY: '{{ run.day }}' },
    },
    timeout: '2h',
  },
  transform: {
    target: { type: 'glue', glueJobArn: TRANSFORM, arguments: { '--day': '{{ run.day }}' } },
    timeout: '4h',
  },
  publish: { target: { type: 'stepfunctions', stateMachineArn: PUBLISH, wait: true }, timeout: '1h' },
};

const NIGHTLY = {
  jobId: 'nightly-etl',
  schedule: { type: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' },
  workflow: {
    tasks: {
      extract: { job: 'extract' },
      transform: {
        job: 'transform',
        dependsOn: ['extract'],
        input: { task: '{{ tasks.extract.output.taskArn }}' },
      },
      publish: {
        job: 'publish',
        dependsOn: ['transform'],
        input: { run: '{{ tasks.transform.output.jobRunId }}' },
      },
    },
  },
};

interface Execution {
  execId: string;
  status: string;
  attempts: { outcome: string; error: string | null }[];
  errand?: { state: string; id?: string; consoleUrl?: string };
}

interface Work {
  arn: string;
  of: string;
  status: string;
  input: string;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`not so: ${what}`);
  say(`  ✓ ${what}`);
}

/** The local stage, with these resources as targets. */
function synthesize(): string {
  const assembly = mkdtempSync(join(tmpdir(), 'nightly-etl-'));
  execFileSync(process.execPath, ['--import', 'tsx', 'bin/app.ts'], {
    cwd: resolve(__dirname, '..'),
    env: {
      ...process.env,
      CDK_OUTDIR: assembly,
      CDK_CONTEXT_JSON: JSON.stringify({ ...cdkJson.context, stage: 'local', allowedTargetArns: ALLOWED }),
      CDK_VALIDATION: 'false',
    },
    stdio: 'pipe',
  });
  return assembly;
}

class System {
  constructor(private readonly run: LocalRun) {}

  async call<Body>(method: string, path: string, body?: object): Promise<Body> {
    const response = await fetch(`${this.run.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${await this.run.ownerToken()}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Body;
  }

  /** The newest execution of a job, once it is as asked. */
  async until(jobId: string, what: string, isSo: (one: Execution) => boolean): Promise<Execution> {
    for (const endMs = Date.now() + WITHIN_MS; Date.now() < endMs; await sleep(500)) {
      const { items } = await this.call<{ items: Execution[] }>('GET', `/v1/jobs/${jobId}/executions`);
      const one = items.find(({ status }) => status !== 'scheduled');
      if (one && isSo(one)) return one;
    }
    throw new Error(`not in time: ${jobId} ${what}`);
  }

  /** What a stand-in was asked for, the last one first. */
  async works(of: string): Promise<Work[]> {
    const { executions } = await this.call<{ executions: Work[] }>('GET', '/_local/machines.json');
    return executions.filter((work) => work.of === of);
  }

  async press(of: string, act: string): Promise<void> {
    const [work] = await this.works(of);
    await this.call('POST', '/_local/machines/act', { arn: work!.arn, act });
  }
}

const isWatched = ({ errand }: Execution): boolean => errand?.state === 'watched';
const hasEnded = ({ status }: Execution): boolean => ['succeeded', 'failed', 'cancelled'].includes(status);

async function create(system: System): Promise<void> {
  for (const [jobId, step] of Object.entries(STEPS))
    await system.call('POST', '/v1/jobs', {
      jobId,
      schedule: { type: 'none' },
      templates: true,
      retry: { maxAttempts: 2, initialDelay: '1s' },
      ...step,
    });
  await system.call('POST', '/v1/jobs', NIGHTLY);
}

async function runThrough(system: System): Promise<void> {
  say('\nA night with a lost host and a lost event');
  await system.call('POST', '/v1/jobs/nightly-etl/run', {});
  await system.until('extract', 'runs', isWatched);
  await system.press('extract', 'interrupt it');
  await system.until('extract', 'runs again', (one) => one.attempts.length === 1 && isWatched(one));
  await system.press('extract', 'end well');
  const extracted = await system.until('extract', 'ends', hasEnded);
  expectThat(
    extracted.attempts.map(({ outcome }) => outcome).join() === 'lost,succeeded',
    `extract lost its host (${extracted.attempts[0]?.error}), and began again without using up a retry`,
  );

  const transforming = await system.until('transform', 'runs', isWatched);
  say(`    the run of Glue, in the AWS console: ${transforming.errand?.consoleUrl}`);
  await system.press('transform', 'lose the event');
  await system.press('transform', 'end well');
  say('    its event is lost: the watcher probes a minute after the start');
  const transformed = await system.until('transform', 'ends', hasEnded);
  expectThat(transformed.status === 'succeeded', 'transform has ended well: a probe has seen it');

  const published = await system.until('publish', 'ends', hasEnded);
  expectThat(published.status === 'succeeded', 'publish has ended as its state machine');
  const [machine] = await system.works('publish');
  const [run] = await system.works('transform');
  expectThat(
    run!.arn.endsWith((JSON.parse(machine!.input) as { run: string }).run),
    'it got the run of Glue from the step before',
  );
  const night = await system.until('nightly-etl', 'ends', hasEnded);
  expectThat(night.status === 'succeeded', 'the night has succeeded');
}

async function cancelUnderWay(system: System): Promise<void> {
  say('\nA night that is cancelled under way');
  const { execId } = await system.call<Execution>('POST', '/v1/jobs/nightly-etl/run', {});
  await system.until('extract', 'runs', isWatched);
  await system.call('POST', `/v1/jobs/nightly-etl/executions/${execId}/cancel`, {});
  const extract = await system.until('extract', 'is cancelled', hasEnded);
  const [task] = await system.works('extract');
  expectThat(
    extract.status === 'cancelled' && task!.status === 'STOPPED',
    'the task was stopped, and its job is cancelled since that was seen',
  );
  const night = await system.until('nightly-etl', 'is cancelled', hasEnded);
  expectThat(night.status === 'cancelled', 'the night is cancelled');
  expectThat((await system.works('transform')).length === 1, 'nothing was transformed');
}

async function main(): Promise<void> {
  const assembly = synthesize();
  let run: LocalRun | undefined;
  try {
    run = await start({
      ...{ port: 0, dataDir: undefined, assembly, out: () => undefined, err: () => undefined },
      ecsTasks: [parseTaskScript('*=1h')],
      glueJobs: [workScriptParser('glue')('*=1h')],
      stateMachines: [parseScript('*=2s')],
    });
    const system = new System(run);
    await create(system);
    await runThrough(system);
    await cancelUnderWay(system);
  } finally {
    await run?.stop();
    rmSync(assembly, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
});
