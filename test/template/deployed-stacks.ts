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
 * Stacks that are deployed as CloudFormation does it, with the API behind the provider: what is new or has
 * changed first, what is gone last, and all of it put back if a part fails.
 */
export async function deployedStacks() {
  const { world, manifests, send } = await provider();
  const stacks = new Map<string, Map<string, Deployed>>();
  let requests = 0;

  const ask = async (
    type: StackEvent['RequestType'],
    stack: string,
    id: string,
    { physicalId, properties }: Partial<Deployed>,
  ): Promise<StackResponse> =>
    send({
      ...COMMON,
      RequestType: type,
      RequestId: `request-${requests++}`,
      StackId: `arn:aws:cloudformation:eu-central-1:111122223333:stack/${stack}/f0e1`,
      LogicalResourceId: id,
      ResourceType: JOBS_RESOURCE,
      ...(type !== 'Create' && { PhysicalResourceId: physicalId! }),
      ResourceProperties: properties ?? {},
    });

  /** Deploys a stack of the app. Resolves to why it failed; undefined if it did not. */
  async function deploy(name: string, sources: Sources): Promise<string | undefined> {
    const before = stacks.get(name) ?? new Map<string, Deployed>();
    const wanted = wantedBy(stackWith(new App(QUICK), name, sources), manifests);
    const after = new Map<string, Deployed>();
    for (const [id, properties] of wanted) {
      const old = before.get(id);
      const isSame = old && JSON.stringify(old.properties) === JSON.stringify(properties);
      const { Status, Reason, PhysicalResourceId } = isSame
        ? { Status: 'SUCCESS', PhysicalResourceId: old.physicalId }
        : await ask(old ? 'Update' : 'Create', name, id, { ...old, properties });
      after.set(id, { physicalId: PhysicalResourceId, properties });
      if (Status === 'SUCCESS') continue;
      await rollBack(name, before, after);
      return Reason;
    }
    for (const [id, old] of before) if (!wanted.has(id)) await ask('Delete', name, id, old);
    stacks.set(name, after);
    return undefined;
  }

  async function rollBack(name: string, before: Map<string, Deployed>, after: Map<string, Deployed>) {
    for (const [id, { physicalId, properties }] of after) {
      const old = before.get(id);
      await ask(old ? 'Update' : 'Delete', name, id, old ?? { physicalId, properties });
    }
  }

  async function destroy(name: string): Promise<void> {
    for (const [id, old] of stacks.get(name)!) await ask('Delete', name, id, old);
    stacks.delete(name);
  }

  const views = async (): Promise<View[]> => {
    const query = new Map([['limit', ['100']]]);
    const { body } = await world.api('listJobs', {}, undefined, {}, { query });
    const { items } = body as { items: View[] };
    return Promise.all(
      items.map(async ({ jobId }) => (await world.api('getJob', { jobId })).body as unknown as View),
    );
  };

  return {
    deploy,
    destroy,
    /** Whose each job is, and what it calls. */
    owners: async () =>
      Object.fromEntries(
        (await views()).map(({ jobId, tags, target: { functionArn } }) => [
          jobId,
          `${tags['quarterjack/source']} of ${tags['quarterjack/resource']!.split('/')[0]}, ${functionArn.split(':').at(-1)}`,
        ]),
      ),
    /** How often each job of a source has changed. */
    changes: async (source: string) =>
      (await views())
        .filter(({ tags }) => tags['quarterjack/source'] === source)
        .map(({ jobId, changeNumber }) => `${jobId} ${changeNumber}`),
  };
}
