import {
  type MemberRef,
  type ServiceActions,
  type Shape,
  SHAPE_KINDS,
  SIMPLE_TYPES,
} from '../../lambdas/core/contracts/action-schemas';

/** A value as a client takes it, and as a job has it in JSON. */
export interface Sample {
  native: unknown;
  json: unknown;
}

const DEEPEST = 5;
const same = (value: unknown): Sample => ({ native: value, json: value });
const SPELLED = 'Größe {x}/y+z&"<a>';
const BYTES = Buffer.from([0, 255, 104, 105]);

/** An input with all members that a schema has, down to some depth. */
export const sampleInput = (service: ServiceActions, ref: number): Sample => sampleOf(service, ref, '', 0);

function sampleOf(service: ServiceActions, ref: MemberRef, name: string, depth: number): Sample {
  if (typeof ref !== 'number') {
    const [of, traits] = ref;
    const isLabel =
      (typeof traits === 'number' ? traits & 1 : 'httpLabel' in traits || 'hostLabel' in traits) !== 0;
    return isLabel && of === SIMPLE_TYPES.string ? same('abc-1') : sampleOf(service, of, name, depth);
  }
  if (ref < 0) return ofShape(service, service.shapes[-1 - ref]!, depth);
  if (ref >= SIMPLE_TYPES.maps) return mapOf(sampleOf(service, ref - SIMPLE_TYPES.maps, name, depth));
  if (ref >= SIMPLE_TYPES.lists) return listOf(sampleOf(service, ref - SIMPLE_TYPES.lists, name, depth));
  return ofSimple(ref, name);
}

function ofSimple(type: number, name: string): Sample {
  const { timestamps, blobs } = SIMPLE_TYPES;
  if (type === SIMPLE_TYPES.number) return same(7);
  if (type === SIMPLE_TYPES.boolean) return same(true);
  if (type === SIMPLE_TYPES.document) return same({ a: [1, 'b', null] });
  if (type === SIMPLE_TYPES.bigInteger) return { native: 12n, json: 12 };
  if ((timestamps as readonly number[]).includes(type))
    return { native: new Date(1_700_000_000_000), json: '2023-11-14T22:13:20.000Z' };
  if ((blobs as readonly number[]).includes(type))
    return { native: new Uint8Array(BYTES), json: { base64: BYTES.toString('base64') } };
  return same(/token/i.test(name) ? '8a4f9d2c-0000-4000-8000-00000000abcd' : SPELLED);
}

function ofShape(service: ServiceActions, shape: Shape, depth: number): Sample {
  const isDeep = depth >= DEEPEST;
  if (shape[0] === SHAPE_KINDS.list)
    return isDeep ? same([]) : listOf(sampleOf(service, shape[2], '', depth + 1));
  if (shape[0] === SHAPE_KINDS.map)
    return isDeep ? same({}) : mapOf(sampleOf(service, shape[3], '', depth + 1));
  const [kind, , names, members, required] = shape;
  const taken = kind === SHAPE_KINDS.union ? names.slice(0, 1) : isDeep ? names.slice(0, required) : names;
  const samples = taken.map(
    (name, index) => [name, sampleOf(service, members[index]!, name, depth + 1)] as const,
  );
  return {
    native: Object.fromEntries(samples.map(([name, { native }]) => [name, native])),
    json: Object.fromEntries(samples.map(([name, { json }]) => [name, json])),
  };
}

const listOf = ({ native, json }: Sample): Sample => ({ native: [native, native], json: [json, json] });
const mapOf = ({ native, json }: Sample): Sample => ({
  native: { one: native, 'two words': native },
  json: { one: json, 'two words': json },
});
