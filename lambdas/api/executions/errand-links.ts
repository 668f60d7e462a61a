import { executionArnOf, parseArn, parseFunctionArn } from '../../core/delivery/arn';
import type { ErrandType } from '../../core/contracts/errand-services';
import type { Errand } from '../../core/domain/errand';
import type { ErrandView } from '../../core/http/openapi/errand-answers';
import { awsConsole } from '../aws-console';

type Links = Pick<ErrandView, 'id' | 'consoleUrl'>;

/** What each service calls an errand, and the path of its page in the AWS console. */
const OF: Readonly<Record<ErrandType, (errand: Errand) => { id: string | undefined; path?: string }>> = {
  stepfunctions({ resource, name }) {
    const id = executionArnOf(resource, name);
    return { id, path: `/states/home?region={region}#/v2/executions/details/${id}` };
  },
  ecs({ id }) {
    const [, cluster, task] = id?.split('/') ?? [];
    return task === undefined
      ? { id }
      : { id, path: `/ecs/v2/clusters/${cluster}/tasks/${task}/configuration?region={region}` };
  },
  batch({ id }) {
    return id === undefined ? { id } : { id, path: `/batch/home?region={region}#jobs/detail/${id}` };
  },
  glue({ resource, id }) {
    const [, name] = resource.split(':job/');
    return id === undefined
      ? { id }
      : { id, path: `/gluestudio/home?region={region}#/job/${name}/run/${id}` };
  },
  codebuild({ resource, id }) {
    const [, , , , account] = resource.split(':');
    const [name] = id?.split(':') ?? [];
    return id === undefined
      ? { id }
      : {
          id,
          path: `/codesuite/codebuild/${account}/projects/${name}/build/${encodeURIComponent(id)}/?region={region}`,
        };
  },
  durable({ resource, id }) {
    const name = parseFunctionArn(resource)?.name;
    return { id, ...(name !== undefined && { path: `/lambda/home?region={region}#/functions/${name}` }) };
  },
};

/** Where to read on about an errand. */
export function linksOf(errand: Errand): Links {
  const { id, path } = OF[errand.type](errand);
  const region = parseArn(errand.resource)?.region;
  return {
    ...(id !== undefined && { id }),
    ...(path !== undefined &&
      region !== undefined && { consoleUrl: awsConsole(region) + path.replace('{region}', region) }),
  };
}
