import { executionArnOf, parseArn, parseFunctionArn } from '../../core/delivery/arn';
import type { ErrandType } from '../../core/contracts/errand-services';
import type { PastErrand } from '../../core/domain/errand';
import type { ErrandView } from '../../core/http/openapi/errand-answers';
import { awsConsole } from '../aws-console';

type Links = Pick<ErrandView, 'id' | 'consoleUrl' | 'logsUrl'>;

/** What a service calls an errand, with paths in the AWS console: of its page, and of its logs. */
interface Pages {
  id: string | undefined;
  path?: string;
  logs?: string;
}

/** A group of CloudWatch, or a stream in it. The console wants each name encoded twice, with $ for %. */
const logPath = (group: string, stream?: string): string => {
  const [inGroup, inStream] = [group, stream].map(
    (name) => name && encodeURIComponent(encodeURIComponent(name)).replaceAll('%', '$'),
  );
  const events = inStream === undefined ? '' : `/log-events/${inStream}`;
  return `/cloudwatch/home?region={region}#logsV2:log-groups/log-group/${inGroup}${events}`;
};

const OF: Readonly<Record<ErrandType, (errand: PastErrand) => Pages>> = {
  stepfunctions({ resource, name }) {
    const id = executionArnOf(resource, name);
    return { id, path: `/states/home?region={region}#/v2/executions/details/${id}` };
  },
  ecs({ id }) {
    const [, cluster, task] = id?.split('/') ?? [];
    return task === undefined
      ? { id }
      : {
          id,
          path: `/ecs/v2/clusters/${cluster}/tasks/${task}/configuration?region={region}`,
          logs: `/ecs/v2/clusters/${cluster}/tasks/${task}/logs?region={region}`,
        };
  },
  batch({ id, logs: stream }) {
    if (id === undefined) return { id };
    const logs = stream !== undefined && { logs: logPath('/aws/batch/job', stream) };
    return { id, path: `/batch/home?region={region}#jobs/detail/${id}`, ...logs };
  },
  glue({ resource, id }) {
    const [, name] = resource.split(':job/');
    return id === undefined
      ? { id }
      : {
          id,
          path: `/gluestudio/home?region={region}#/job/${name}/run/${id}`,
          logs: logPath('/aws-glue/jobs/output', id),
        };
  },
  codebuild({ resource, id, logs }) {
    const [, , , , account] = resource.split(':');
    const [name] = id?.split(':') ?? [];
    return id === undefined
      ? { id }
      : {
          id,
          path: `/codesuite/codebuild/${account}/projects/${name}/build/${encodeURIComponent(id)}/?region={region}`,
          ...(logs?.startsWith('https://') && { logs }),
        };
  },
  durable({ resource, id }) {
    const name = parseFunctionArn(resource)?.name;
    if (name === undefined) return { id };
    return {
      id,
      path: `/lambda/home?region={region}#/functions/${name}`,
      logs: logPath(`/aws/lambda/${name}`),
    };
  },
};

/** Where to read on about an errand, also after its end. */
export function linksOf(errand: PastErrand): Links {
  const { id, path, logs } = OF[errand.type](errand);
  const region = parseArn(errand.resource)?.region;
  const known = id !== undefined && { id };
  if (region === undefined) return { ...known };
  const urlOf = (page: string) =>
    page.startsWith('https://') ? page : awsConsole(region) + page.replace('{region}', region);
  return {
    ...known,
    ...(path !== undefined && { consoleUrl: urlOf(path) }),
    ...(logs !== undefined && { logsUrl: urlOf(logs) }),
  };
}
