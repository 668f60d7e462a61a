import {
  AwsEc2QueryProtocol,
  AwsJson1_0Protocol,
  AwsJson1_1Protocol,
  AwsQueryProtocol,
  AwsRestJsonProtocol,
} from '@aws-sdk/core/protocols';
import { fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';

import type { ServiceActions } from '../../../contracts/action-schemas';
import { operationSchema } from './sdk-schema';

const PROTOCOLS = {
  'json1.0': AwsJson1_0Protocol,
  'json1.1': AwsJson1_1Protocol,
  'rest-json': AwsRestJsonProtocol,
  query: AwsQueryProtocol,
  ec2: AwsEc2QueryProtocol,
};

/** What a call is, as its service takes it. */
export interface ActionCall {
  service: ServiceActions;
  action: string;
  /** With dates and bytes where the schema has them. */
  input: Readonly<Record<string, unknown>>;
  endpoint: URL;
  /** The endpoint is that of all services, so nothing goes in front of its name. */
  isShared?: boolean;
}

/** A request before it is signed. */
export type EncodedCall = Awaited<ReturnType<AwsQueryProtocol['serializeRequest']>>;

/** The request of a call, to the byte as the client of the SDK for this service would send it. */
export async function encodedCall({
  service,
  action,
  input,
  endpoint,
  isShared = false,
}: ActionCall): Promise<EncodedCall> {
  const protocol = protocolOf(service);
  const context = {
    ...{ ...SERDE, disableHostPrefix: isShared },
    endpoint: async () => ({ ...partsOf(endpoint) }),
  };
  protocol.setSerdeContext(context as never);
  const schema = operationSchema(service, action, service.actions[action]!);
  return protocol.serializeRequest(schema, { ...input }, context as never);
}

const SERDE = {
  base64Decoder: fromBase64,
  base64Encoder: toBase64,
  utf8Decoder: fromUtf8,
  utf8Encoder: toUtf8,
};

const partsOf = ({ protocol, hostname, port }: URL) => ({
  protocol,
  hostname,
  ...(port !== '' && { port: Number(port) }),
  path: '/',
});

function protocolOf({ protocol, target = '', version = '', queryCompatible = false }: ServiceActions) {
  const Protocol = PROTOCOLS[protocol];
  return new Protocol({
    defaultNamespace: '',
    errorTypeRegistries: [],
    serviceTarget: target,
    version,
    xmlNamespace: '',
    awsQueryCompatible: queryCompatible,
  });
}
