import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { parse } from 'yaml';

import { Quarterjack } from '../../../client';
import type { RunningSystem } from '../../support/local-run';

/*
 * The workflow of docs/pipelines.md against a local run. Each step with a command runs as GitHub runs it.
 * `npm` and `gh` are stubs that note how they are called. Steps with `uses` are left out.
 */

interface Step {
  name?: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
}
interface Workflow {
  on: Record<string, object>;
  defaults: { run: { shell: string } };
  env: Record<string, string>;
  jobs: Record<'plan' | 'apply', { if: string; concurrency: { group: string }; steps: Step[] }>;
}

const CHECKOUT_DIR = resolve(__dirname, '../../..');
const PAGE = readFileSync(join(CHECKOUT_DIR, 'docs/pipelines.md'), 'utf8');
const [, SOURCE = ''] = /<!-- tested: workflow -->\s*^```yaml\n(.*?)^```$/ms.exec(PAGE) ?? [];
const [, SCHEDULES = ''] = /^```yaml\n(# schedules\/reports\.yaml\n.*?)^```$/ms.exec(PAGE) ?? [];
const WORKFLOW = parse(SOURCE) as Workflow;

let run: RunningSystem;
let client: Quarterjack;
let folder: string;
let values: Record<string, string>;

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

/** `${{ … }}` replaced, as GitHub does. An expression that no value is for is an error. */
const evaluated = (text: string): string =>
  text.replace(/\$\{\{\s*(.*?)\s*\}\}/g, (_found, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`the workflow has an expression that is not tested: ${name}`);
    return value;
  });

/** Runs the steps of a job. After one that fails, only those with `if: always()` run. */
async function runJob(name: 'plan' | 'apply'): Promise<{ failed: string[] }> {
  const failed: string[] = [];
  for (const step of WORKFLOW.jobs[name].steps) {
    if (step.run === undefined || (failed.length > 0 && step.if !== 'always()')) continue;
    const given = Object.entries({ ...WORKFLOW.env, ...step.env }).map(([key, text]) => [
      key,
      evaluated(text),
    ]);
    const env = {
      ...(Object.fromEntries(given) as Record<string, string>),
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      HOME: folder,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    };
    if ((await bash(evaluated(step.run), env)) !== 0) failed.push(step.name ?? step.run);
  }
  return { failed };
}

/** As `shell: bash` of GitHub Actions. */
const bash = (script: string, env: Record<string, string>): Promise<number | null> =>
  new Promise((done) => {
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    spawn('bash', flags, { cwd: folder, env, stdio: 'ignore' }).once('exit', done);
  });

const comment = () => readFileSync(join(folder, 'comment.md'), 'utf8');
const jobIds = async () => (await client.jobs.list().toArray(10)).map(({ jobId }) => jobId);

/** The workflow of docs/pipelines.md, by the user `ci`. */
export function describePipeline(given: () => RunningSystem): void {
  describe('a pipeline', () => {
    beforeAll(async () => {
      run = given();
      const token = await run.token('ci');
      client = new Quarterjack({ url: run.url, token });
      folder = mkdtempSync(join(tmpdir(), 'quarterjack-pipeline-'));
      values = {
        'vars.QUARTERJACK_URL': run.url,
        'vars.QUARTERJACK_PROJECT': '',
        'vars.QUARTERJACK_PACKAGE': './quarterjack.tgz',
        'vars.BASE_URL': 'http://127.0.0.1:9',
        'secrets.QUARTERJACK_PLAN_TOKEN': token,
        'secrets.QUARTERJACK_TOKEN': token,
        'github.token': 'ghs_token',
        'github.event.number': '7',
      };
      write('bin/quarterjack', `#!/bin/sh\nexec '${process.execPath}' '${CHECKOUT_DIR}/cli/bin.cjs' "$@"\n`);
      for (const name of ['npm', 'gh']) write(`bin/${name}`, `#!/bin/sh\necho "${name} $*" >> calls.txt\n`);
    });

    afterAll(async () => {
      rmSync(folder, { recursive: true });
    });

    test('the workflow parses, and each job has its own event and its own lock', () => {
      expect(Object.keys(WORKFLOW.on)).toEqual(['pull_request', 'push']);
      expect(WORKFLOW.defaults.run.shell).toBe('bash');
      expect(WORKFLOW.jobs.plan).toMatchObject({ if: "github.event_name == 'pull_request'" });
      expect(WORKFLOW.jobs.apply).toMatchObject({
        if: "github.event_name == 'push'",
        concurrency: { group: 'schedules-apply', 'cancel-in-progress': false },
      });
    });

    test('a pull request shows the plan, main applies it, and a repeat changes nothing', async () => {
      write('schedules/reports.yaml', SCHEDULES);
      expect(await runJob('plan')).toEqual({ failed: [] });
      expect(comment()).toMatch(/^~{8}text\n\+ daily-report  30 9 \* \* MON-FRI Europe\/Berlin, first /);
      expect(comment()).toMatch(/\n1 to add, 0 to change, 0 to remove, 0 unchanged\.\n\n~{8}\n$/);
      expect(await jobIds()).toEqual([]);
      expect(readFileSync(join(folder, 'calls.txt'), 'utf8')).toBe(
        'npm install --global ./quarterjack.tgz\ngh pr comment 7 --edit-last --create-if-none --body-file comment.md\n',
      );

      expect(await runJob('apply')).toEqual({ failed: [] });
      expect(await client.jobs.get('daily-report')).toMatchObject({
        target: { url: 'http://127.0.0.1:9/reports' },
        retry: { maxAttempts: 5 },
      });
      expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('Done: 1 of 1.');

      expect(await runJob('plan')).toEqual({ failed: [] });
      expect(comment()).toContain('Nothing to do: 1 unchanged.');
    });

    test('a file that the API refuses fails both jobs, the comment says why, and nothing is half done', async () => {
      write('schedules/more.yaml', SCHEDULES.replace('daily-report', 'fine'));
      write(
        'schedules/wrong.yaml',
        SCHEDULES.replace('daily-report', 'wrong').replace('${BASE_URL}', 'ftp://x'),
      );
      expect(await runJob('plan')).toEqual({ failed: ['Plan'] });
      expect(comment()).toMatch(/schedules\/wrong\.yaml:\d+: wrong: target\.url: /);
      expect(await runJob('apply')).toEqual({ failed: ['Apply'] });
      expect(await jobIds()).toEqual(['daily-report']);
    });
  });
}
