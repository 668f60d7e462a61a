import type { ProjectApi, ProjectCall } from '../../../lambdas/provider/project-api';
import { provide } from '../../../lambdas/provider/provide';
import type { StackEvent } from '../../../lambdas/provider/stack-event';
import { PipelineWorld } from '../../support/pipeline-world';

/** What CloudFormation says of a request, whatever it is about. */
export const COMMON = {
  StackId: 'arn:aws:cloudformation:eu-central-1:111122223333:stack/Shop/f0e1',
  RequestId: 'request-1',
  LogicalResourceId: 'Nightly',
  ResponseURL: '',
};

/** A provider in front of the API itself, which answers to the user `alice`. */
export async function provider() {
  const world = await PipelineWorld.started(1);
  const secrets = new Map<string, string>();
  const manifests = new Map<string, string>();
  const api: ProjectApi = async (_project, { operation, pathParameters, query = {}, body, headers }) => {
    const given = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
    const answer = await world.api(operation, pathParameters, body, headers, { query: given });
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body ?? null)) as unknown };
  };
  const deps = {
    api,
    clock: world.clock,
    log: world.log,
    putSecret: async (arn: string, value: string) => void secrets.set(arn, value),
    readManifest: async (url: string) => {
      const text = manifests.get(url);
      if (text === undefined) throw new Error(`S3 answered 404 for the manifest ${url}`);
      return text;
    },
  };
  return { world, deps, secrets, manifests, send: (event: StackEvent) => provide(event, deps) };
}

/** The API, which answers a call otherwise if `answers` does. */
export const answering =
  (
    api: ProjectApi,
    answers: (call: ProjectCall) => { status: number; body: unknown } | undefined,
  ): ProjectApi =>
  async (project, call) =>
    answers(call) ?? api(project, call);
