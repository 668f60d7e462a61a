import * as z from 'zod/mini';

/** A variable whose text is JSON. */
const json = z.pipe(
  z.string(),
  z.transform((value: string, { issues }): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      issues.push({ code: 'custom', message: 'is not JSON', input: value });
      return z.NEVER;
    }
  }),
);
/** A variable whose text is JSON of this schema. */
export const jsonVariable = <T extends z.ZodMiniType<unknown, unknown>>(schema: T) => z.pipe(json, schema);
