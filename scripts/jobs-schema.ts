import { DEFINITION_FIELDS } from '../cli/schedules-as-code/definition';
import { openApiDocument } from '../lambdas/core/http/openapi/document';

type Schema = Record<string, unknown>;

const REF = '#/components/schemas/';
const ID = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
/** A value that is replaced when the file is read: `${NAME}`, `${NAME:-5}`. */
const VARIABLE: Schema = { $ref: '#/$defs/Variable' };
const WORDS = {
  type: 'string',
  description: 'A schedule in words: every 5m, 30 9 * * MON-FRI, in 10m, none.',
};

/** The JSON Schema of `jobs.yaml`, made from the schemas that parse requests to the API. */
export function jobsSchema(): Schema {
  const { schemas = {} } = openApiDocument().components as { schemas?: Record<string, Schema> };
  const defs = new Map<string, Schema>();
  /** Adds a schema of the API, and those that it refers to. */
  const need = (name: string): Schema => {
    if (!defs.has(name)) {
      defs.set(name, {}); // schemas may refer to themselves
      defs.set(name, converted(schemas[name], need) as Schema);
    }
    return { $ref: `#/$defs/${name}` };
  };
  need('JobDefinition');
  const { properties } = defs.get('JobDefinition') as { properties: Record<string, Schema> };
  const fields = Object.fromEntries(DEFINITION_FIELDS.map((field) => [field, properties[field]]));
  defs.delete('JobDefinition');
  defs.set('Job', {
    description: 'The fields of a job. What it lacks may be in the defaults of the file.',
    type: 'object',
    properties: {
      ...fields,
      schedule: { anyOf: [fields.schedule, WORDS] },
      jobId: { type: 'string', pattern: ID },
      paused: {
        anyOf: [{ type: 'boolean' }, VARIABLE],
        description: 'Without it, a paused job stays paused.',
      },
    },
    additionalProperties: false,
  });
  const byId = (schema: Schema) => ({
    type: 'object',
    propertyNames: { pattern: ID },
    additionalProperties: schema,
  });
  const job = { $ref: '#/$defs/Job' };
  const calendars = byId(need('CalendarRequest'));
  const notifications = byId(need('NotificationRequest'));
  defs.set('Variable', { type: 'string', pattern: '\\$\\{' });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Jobs of Quarterjack',
    description: 'A file for quarterjack plan and apply.',
    type: 'object',
    properties: {
      defaults: { ...job, description: 'Fields of every job in the file that does not have its own.' },
      jobs: {
        description: 'Jobs by their ids, or a list of them, each with its jobId.',
        anyOf: [byId(job), { type: 'array', items: { allOf: [job, { required: ['jobId'] }] } }],
      },
      calendars: { ...calendars, description: 'Calendars by their ids.' },
      notifications: { ...notifications, description: 'Notifications by their ids.' },
    },
    patternProperties: { '^x-': true },
    additionalProperties: false,
    $defs: Object.fromEntries([...defs].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** A schema with references within this file. A value that is no plain text may be a variable instead. */
function converted(value: unknown, need: (name: string) => Schema): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => converted(one, need));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...rest } = value as Schema;
  if (typeof $ref === 'string') return need($ref.slice(REF.length));
  const whole = Object.fromEntries(
    Object.entries(rest).map(([key, one]) => {
      // A variable would fit several of them.
      if (key === 'oneOf') return ['anyOf', converted(one, need)];
      return [
        key,
        key === 'properties' ? convertedFields(one as Schema, need) : convertedPart(key, one, need),
      ];
    }),
  );
  return isOpenToVariables(whole) ? { anyOf: [whole, VARIABLE] } : whole;
}

/** Names of fields are no keywords: a field may have the name `default`. */
const convertedFields = (fields: Schema, need: (name: string) => Schema): Schema =>
  Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, converted(one, need)]));

/** Examples and defaults are values, and no schemas. */
const convertedPart = (key: string, one: unknown, need: (name: string) => Schema): unknown =>
  ['default', 'examples', 'example', 'enum', 'const', 'propertyNames'].includes(key)
    ? one
    : converted(one, need);

/** The type of a target or a schedule decides which fields it has, so it stands there as it is. */
const isOpenToVariables = ({ type, const: only, ...rest }: Schema): boolean =>
  only === undefined &&
  (['integer', 'number', 'boolean'].includes(type as string) ||
    (type === 'string' && ['pattern', 'enum', 'format', 'maxLength'].some((key) => key in rest)) ||
    (type === undefined && 'enum' in rest));
