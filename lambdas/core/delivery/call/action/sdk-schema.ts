import type { AwsQueryProtocol } from '@aws-sdk/core/protocols';

import {
  type ActionSchema,
  type MemberRef,
  type ServiceActions,
  SHAPE_KINDS,
} from '../../../contracts/action-schemas';

export type OperationSchema = Parameters<AwsQueryProtocol['serializeRequest']>[0];
type SdkSchema = readonly unknown[] | number | (() => SdkSchema);

const made = new WeakMap<ServiceActions, Map<number, SdkSchema>>();

/**
 * The schema of an operation as the protocols of the SDK take it: without the names of shapes, which no
 * request has. Shapes refer to each other by functions, so one may lead back to itself.
 */
export function operationSchema(service: ServiceActions, name: string, { input, traits = 0 }: ActionSchema) {
  const schema = input === undefined ? 'unit' : refOf(service, input);
  return { namespace: '', name, traits, input: schema, output: 'unit' } as OperationSchema;
}

function refOf(service: ServiceActions, ref: MemberRef): SdkSchema {
  if (typeof ref !== 'number') return [refOf(service, ref[0]), ref[1]];
  return ref >= 0 ? ref : () => shapeOf(service, ref);
}

function shapeOf(service: ServiceActions, ref: number): SdkSchema {
  const known = made.get(service) ?? new Map<number, SdkSchema>();
  made.set(service, known);
  const schema = known.get(ref) ?? newShape(service, ref);
  known.set(ref, schema);
  return schema;
}

function newShape(service: ServiceActions, ref: number): SdkSchema {
  const shape = service.shapes[-1 - ref]!;
  const [kind, traits] = shape;
  const of = (one: MemberRef) => refOf(service, one);
  if (kind === SHAPE_KINDS.list) return [kind, '', '', traits, of(shape[2])];
  if (kind === SHAPE_KINDS.map) return [kind, '', '', traits, of(shape[2]), of(shape[3])];
  return [kind, '', '', traits, shape[2], shape[3].map(of), shape[4]];
}
