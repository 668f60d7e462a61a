import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Quarterjack, ScheduledJob, type ScheduledJobProps } from '@quarterjack/cdk';
import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';

/** What `python3 -m quarterjack define` has printed. */
interface Manifest {
  jobs: {
    jobId: string;
    definition: Omit<ScheduledJobProps['job'], 'target'>;
    payloadSchema?: Record<string, unknown>;
  }[];
}

interface ReportsProps extends StackProps {
  /** A folder with `jobs.py` and the package: see the README beside this file. */
  readonly codeDir: string;
  /** Where the functions' bundles are, for a build of your own. */
  readonly bundlesDir?: string;
}

/** A deployment of Quarterjack, a function in Python, and a job for each one in `jobs.py`. */
export class Reports extends Stack {
  constructor(scope: Construct, id: string, { codeDir, bundlesDir, ...props }: ReportsProps) {
    super(scope, id, props);
    const quarterjack = new Quarterjack(this, 'Jobs', bundlesDir === undefined ? {} : { bundlesDir });
    const reports = new LambdaFunction(this, 'Reports', {
      runtime: Runtime.PYTHON_3_13,
      handler: 'jobs.served.lambda_handler',
      code: Code.fromAsset(codeDir),
      timeout: Duration.minutes(11), // longer than the longest `timeout` of a job
    });
    const target = quarterjack.addLambdaTarget(reports, { project: quarterjack.project });
    const text = readFileSync(join(__dirname, 'jobs.manifest.json'), 'utf8');
    for (const { jobId, definition, payloadSchema } of (JSON.parse(text) as Manifest).jobs)
      new ScheduledJob(this, jobId, {
        quarterjack,
        jobId,
        job: { ...definition, ...(payloadSchema && { payloadSchema }), target },
      });
  }
}
