import type {
  ActionProtocol,
  ActionSchema,
  ServiceActions,
} from '../../lambdas/core/contracts/action-schemas';
import { encodedCall } from '../../lambdas/core/delivery/call/action/encode';
import { Compactor, hasStream, withoutTwins } from './compact';
import { type Client, readClient } from './read-client';
import { sampleInput } from './sample';
import { comparable, sentRequest } from './sent-request';
import { isRefused, type Source } from './services';

const PROTOCOLS: Readonly<Record<string, ActionProtocol>> = {
  AwsJson1_0Protocol: 'json1.0',
  AwsJson1_1Protocol: 'json1.1',
  AwsRestJsonProtocol: 'rest-json',
  AwsQueryProtocol: 'query',
  AwsEc2QueryProtocol: 'ec2',
};
const REGION = 'eu-central-1';
const ENDPOINT = 'https://service.example.com';

interface ReadService {
  /** As EventBridge Scheduler and Step Functions call it. */
  name: string;
  actions: ServiceActions;
  /** What the client sends, by operation. */
  sent: Record<string, string>;
  leftOut: Record<string, string>;
}

/** What one client says of its service, and how it writes each request. */
export async function readService(source: Source): Promise<ReadService> {
  const client = readClient(source);
  const { config } = client.make({ region: REGION });
  const { serviceTarget: target, awsQueryCompatible: queryCompatible, options } = config.protocol;
  const protocol = PROTOCOLS[config.protocol.constructor.name]!;
  const [host] = hostOf(config).split(`.${REGION}.`);
  const common = {
    protocol,
    host: host!,
    ...(target && protocol.startsWith('json') && { target }),
    ...(options.version && { version: options.version }),
    ...(queryCompatible && { queryCompatible }),
  };
  const taken = client.operations.filter(
    (one) => !isRefused(one) && !source.omit?.includes(one) && (source.only?.includes(one) ?? true),
  );
  const signedAs = await signingNameOf(client, taken[0]!, common);
  const { iam = signedAs, needs = {} } = source;
  const sent: Record<string, string> = {};
  const leftOut: Record<string, string> = {};
  const differing = async (operation: string): Promise<string | undefined> => {
    const one = new Compactor(protocol, source.without);
    const action = one.action(client.schemaOf(operation), [`${iam}:${operation}`]);
    if (hasStream(one.shapes)) return 'a stream of events';
    const service = { ...common, signedAs, shapes: one.shapes, actions: { [operation]: action } };
    return differenceOf(client, service, operation, sent);
  };
  const all = new Compactor(protocol, source.without);
  const actions: Record<string, ActionSchema> = {};
  for (const operation of taken) {
    const why = await differing(operation).catch((error: Error) => error.message);
    if (why !== undefined) leftOut[operation] = why;
    else
      actions[operation] = all.action(
        client.schemaOf(operation),
        needs[operation] ?? [`${iam}:${operation}`],
      );
  }
  return {
    name: config.serviceId.toLowerCase().replaceAll(/[^a-z0-9]/g, ''),
    actions: { ...common, signedAs, ...withoutTwins({ actions, shapes: all.shapes }) },
    sent,
    leftOut,
  };
}

const hostOf = (config: ReturnType<Client['make']>['config']): string =>
  config.endpointProvider({ Region: REGION, UseFIPS: false, UseDualStack: false }).url.hostname;

/** The service in the scope of a signature: the first operation that can be signed tells. */
async function signingNameOf(
  client: Client,
  operation: string,
  common: Omit<ServiceActions, 'signedAs' | 'actions' | 'shapes'>,
) {
  const one = new Compactor(common.protocol);
  const { input: ref } = one.action(client.schemaOf(operation), []);
  const service = { ...common, signedAs: '', actions: {}, shapes: one.shapes };
  const input = ref === undefined ? {} : (sampleInput(service, ref).native as object);
  const { headers } = await sentRequest(client, { operation, input, endpoint: ENDPOINT });
  const name = /\/([\w.-]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1];
  if (name === undefined) throw new Error(`no signature of ${operation}`);
  return name;
}

/** Why this project does not send what the client sends; undefined if it does. */
async function differenceOf(
  client: Client,
  service: ServiceActions,
  operation: string,
  sent: Record<string, string>,
): Promise<string | undefined> {
  const ref = service.actions[operation]!.input;
  const input = ref === undefined ? {} : (sampleInput(service, ref).native as Record<string, unknown>);
  try {
    const theirs = await sentRequest(client, { operation, input, endpoint: ENDPOINT });
    const ours = await encodedCall({ service, action: operation, input, endpoint: new URL(ENDPOINT) });
    sent[operation] = comparable(theirs);
    if (sent[operation] === comparable(ours) && theirs.hostname === ours.hostname) return undefined;
    const said = sent[operation];
    delete sent[operation];
    return `its client sends ${theirs.hostname} ${said}, not ${ours.hostname} ${comparable(ours)}`;
  } catch (error) {
    return (error as Error).message;
  }
}
