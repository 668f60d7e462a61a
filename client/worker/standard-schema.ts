import { FatalError } from './errors';

/** The part of https://standardschema.dev that is used here. Zod, Valibot and ArkType have it. */
export interface StandardSchema<Output, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): Result<Output> | Promise<Result<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type Result<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The payload as its schema gives it. Throws a `FatalError` that names the fields. */
export async function checkedPayload<Output>(
  payload: unknown,
  schema: StandardSchema<Output> | undefined,
): Promise<Output> {
  if (!schema) return payload as Output;
  const result = await schema['~standard'].validate(payload);
  if (!result.issues) return result.value;
  throw faultOf(result.issues);
}

/** Why a payload does not fit; undefined if it does, or if its schema needs time to say so. */
export function payloadFault(
  payload: unknown,
  schema: StandardSchema<unknown> | undefined,
): FatalError | undefined {
  const result = schema?.['~standard'].validate(payload);
  if (result === undefined || 'then' in result) return undefined;
  return result.issues && faultOf(result.issues);
}

const faultOf = (issues: readonly Issue[]): FatalError =>
  new FatalError(`the payload is invalid: ${issues.map(textOf).join('; ')}`, { reason: 'bad-payload' });

function textOf({ path = [], message }: Issue): string {
  const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length > 0 ? `${keys.join('.')}: ${message}` : message;
}
