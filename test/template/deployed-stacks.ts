import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { App, Stack, Stage } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

import { JobFunction, Quarterjack } from '../../lib';
import { JOBS_RESOURCE } from '../../lambdas/core/contracts/custom-resources';
import type { StackResponse } from '../../lambdas/provider/respond';
import type { StackEvent } from '../../lambdas/provider/stack-event';
import { resolveIntrinsics } from '../../local/template/intrinsics';
import { COMMON, provider } from '../unit/provider/provider-world';
import { ARN, ATTRIBUTES, manifestOf, resourcesOf } from './jobs-of-stacks';
import { ofType, QUICK } from './synth';

/** The jobs of a stack, by the sources of its constructs. */
export type Sources = Readonly<Record<string, readonly object[]>>;

interface Deployed {
  physicalId: string;
  properties: Readonly<Record<string, string>>;
}

/** What is read of a job. */
interface View {
  jobId: string;
  changeNumber: number;
  tags: Record<string, string>;
  target: { functionArn: string };
}

/** A stack with a construct for each source, whose function is called `target-<stack>-<source>`. */
function stackWith(app: App, name: string, sources: Sources): Stack {
  const stack = new Stack(app, name);
  const quarterjack = Quarterjack.fromAttributes(stack, 'Quarterjack', {
    ...ATTRIBUTES,
    targetNamePrefix: 'target-',
  });
  for (const [source, jobs] of Object.entries(sources)) {
    const fn = new LambdaFunction(stack, `Fn${source}`, {
      runtime: Runtime.PYTHON_3_13,
      handler: 'jobs.handler',
      code: Code.fromInline('handler = None'),
      functionName: `target-${name}-${source}`,
    });
    new JobFunction(stack, `Jobs${source}`, {
      ...{ quarterjack, source, manifest: manifestOf([...jobs]), function: fn },
    });
  }
  return stack;
}

/** The resources of jobs that a stack asks for, as CloudFormation hands them to the provider. */
function wantedBy(stack: Stack, manifests: Map<string, string>): Map<string, Deployed['properties']> {
  const resources = resourcesOf(stack);
  const pseudo: Record<string, string> = {
    'AWS::AccountId': '111122223333',
    'AWS::Partition': 'aws',
    'AWS::Region': 'eu-central-1',
    'AWS::URLSuffix': 'amazonaws.com',
  };
  const references = {
    ref: (name: string) => pseudo[name] ?? name,
    attribute: (id: string) => `${ARN}:${resources.get(id)!.Properties.FunctionName as string}`,
  };
  const wanted = ofType(resources, JOBS_RESOURCE).map(([id, { Properties }]) => {
    const resolved = resolveIntrinsics(Properties, references, id) as Deployed['properties'];
    const [hash] = /[0-9a-f]{64}/.exec(resolved.Manifest!)!;
    const text = readFileSync(join(Stage.of(stack)!.outdir, `asset.${hash}.json`), 'utf8');
    manifests.set(resolved.Manifest!, text);
    return [id, resolved] as const;
  });
  return new Map(wanted);
}

/**
 * Stacks that are deployed as CloudFormation does it, with the API behind the provider. What is new or has
 * changed comes first, and what is gone last. If a part fails, all of it is put back.
 */
export class DeployedStacks {
  private readonly stacks = new Map<string, Map<string, Deployed>>();
  private requests = 0;

  constructor(private readonly base: Awaited<ReturnType<typeof provider>>) {}

  static async started(): Promise<DeployedStacks> {
    return new DeployedStacks(await provider());
  }

  /** Deploys a stack of the app. Resolves to why it failed; undefined if it did not. */
  async deploy(name: string, sources: Sources): Promise<string | undefined> {
    const before = this.stacks.get(name) ?? new Map<string, Deployed>();
    const wanted = wantedBy(stackWith(new App(QUICK), name, sources), this.base.manifests);
    const after = new Map<string, Deployed>();
    for (const [id, properties] of wanted) {
      const old = before.get(id);
      const isSame = old && JSON.stringify(old.properties) === JSON.stringify(properties);
      const { Status, Reason, PhysicalResourceId } = isSame
        ? { Status: 'SUCCESS', PhysicalResourceId: old.physicalId }
        : await this.ask(old ? 'Update' : 'Create', name, id, { ...old, properties });
      after.set(id, { physicalId: PhysicalResourceId, properties });
      if (Status === 'SUCCESS') continue;
      await this.rollBack(name, before, after);
      return Reason;
    }
    for (const [id, old] of before) if (!wanted.has(id)) await this.ask('Delete', name, id, old);
    this.stacks.set(name, after);
    return undefined;
  }

  async destroy(name: string): Promise<void> {
    for (const [id, old] of this.stacks.get(name)!) await this.ask('Delete', name, id, old);
    this.stacks.delete(name);
  }

  /** Whose each job is, and what it calls. */
  async owners(): Promise<Record<string, string>> {
    const texts = (await this.views()).map(({ jobId, tags, target }) => {
      const stack = tags['quarterjack/resource']!.split('/')[0];
      return [jobId, `${tags['quarterjack/source']} of ${stack}, ${target.functionArn.split(':').at(-1)}`];
    });
    return Object.fromEntries(texts) as Record<string, string>;
  }

  /** How often each job of a source has changed. */
  async changes(source: string): Promise<string[]> {
    const own = (await this.views()).filter(({ tags }) => tags['quarterjack/source'] === source);
    return own.map(({ jobId, changeNumber }) => `${jobId} ${changeNumber}`);
  }

  private async views(): Promise<View[]> {
    const { world } = this.base;
    const query = new Map([['limit', ['100']]]);
    const { body } = await world.api('listJobs', {}, undefined, {}, { query });
    const { items } = body as { items: View[] };
    return Promise.all(
      items.map(async ({ jobId }) => (await world.api('getJob', { jobId })).body as unknown as View),
    );
  }

  private async rollBack(name: string, before: Map<string, Deployed>, after: Map<string, Deployed>) {
    for (const [id, own] of after) {
      const old = before.get(id);
      await this.ask(old ? 'Update' : 'Delete', name, id, old ?? own);
    }
  }

  private ask(
    type: StackEvent['RequestType'],
    stack: string,
    id: string,
    { physicalId, properties }: Partial<Deployed>,
  ): Promise<StackResponse> {
    return this.base.send({
      ...COMMON,
      RequestType: type,
      RequestId: `request-${this.requests++}`,
      StackId: `arn:aws:cloudformation:eu-central-1:111122223333:stack/${stack}/f0e1`,
      LogicalResourceId: id,
      ResourceType: JOBS_RESOURCE,
      ...(type !== 'Create' && { PhysicalResourceId: physicalId! }),
      ResourceProperties: properties ?? {},
    });
  }
}
