import * as z from 'zod/mini';

import { mentionsSecrets } from '../domain/secret-reference';
import { described, record, textUpTo, wholeNumber } from './fields';

const MAX_TEXTS = 50;
const MAX_VALUE_LENGTH = 4_096;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const OWN = /^(?:--)?QUARTERJACK_/i;

const VALUE = `must have at most ${MAX_VALUE_LENGTH} characters`;
const NO_SECRET = 'must not name a secret: its service shows it';

const faultOfValue = (value: string): string | undefined => {
  if (mentionsSecrets(value)) return NO_SECRET;
  return value.length <= MAX_VALUE_LENGTH ? undefined : VALUE;
};

/** Texts by their names, of which each may have templates. */
const texts = (what: string, faultOfName: (name: string) => string | undefined) =>
  record(z.string(), z.string()).check(
    z.superRefine((given, context) => {
      const entries = Object.entries(given);
      if (entries.length > MAX_TEXTS)
        context.addIssue(`must have at most ${MAX_TEXTS} ${what}, not ${entries.length}`);
      for (const [name, value] of entries) {
        const message = faultOfName(name) ?? faultOfValue(value);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    }),
  );

const environment = (description: string) =>
  described(
    z.optional(
      texts('variables', (name) => {
        if (!VARIABLE.test(name))
          return 'is not the name of a variable: must be 1 to 128 letters, digits or "_", without a digit first';
        return OWN.test(name) ? 'is set by Quarterjack' : undefined;
      }),
    ),
    { description },
  );

/** `delivery/targets/` checks the form of ARNs, and whether the deployment allows them. */
const arn = (description: string) => described(textUpTo(256), { description });

/** One to `most` values, in a list. */
const someOf = <Value extends z.ZodMiniType>(value: Value, most: number) => {
  const allowed = `must have 1 to ${most}`;
  return z.optional(z.array(value).check(z.minLength(1, allowed), z.maxLength(most, allowed)));
};

const fatalExitCodes = () =>
  described(someOf(wholeNumber(1, 255), 20), { description: 'After these, no other attempt follows.' });

const ALLOWED = 'if the deployment allows it.';

const word = z.string().check(
  z.superRefine((text, context) => {
    const fault = faultOfValue(text);
    if (fault !== undefined) context.addIssue(fault);
  }),
);
const command = () =>
  described(someOf(word, 50), { description: `In place of that of the definition, ${ALLOWED}` });

const memory = () => described(z.optional(wholeNumber(4, 1_048_576)), { description: `MiB, ${ALLOWED}` });

const CONTAINER = /^[\w-]{1,255}$/;
const OF_CONTAINER = ['environment', 'command', 'cpu', 'memory'] as const;

const NEEDS_CONTAINER = z.superRefine<
  { container?: string } & Partial<Record<(typeof OF_CONTAINER)[number], unknown>>
>((target, context) => {
  if (target.container !== undefined || OF_CONTAINER.every((field) => target[field] === undefined)) return;
  const message = 'is missing: it says which container gets the variables';
  context.addIssue({ code: 'custom', path: ['container'], message });
});

// None of these has a role, an image or a network: each is a way to run code under another's role.

/** A task of ECS. */
export const EcsFields = z
  .strictObject({
    type: z.literal('ecs'),
    taskDefinitionArn: arn('A revision, or a family: its latest one.'),
    clusterArn: textUpTo(256),
    container: described(
      z.optional(
        z
          .string()
          .check(z.regex(CONTAINER, 'must be the name of a container: 1 to 255 letters, digits, "_" or "-"')),
      ),
      { description: 'Gets payload and ids as variables; its exit code counts. Absent: those of all do.' },
    ),
    environment: environment('Variables of that container. No secrets.'),
    fatalExitCodes: fatalExitCodes(),
    command: command(),
    cpu: described(z.optional(wholeNumber(1, 16_384)), {
      description: `1,024 for a processor, ${ALLOWED}`,
    }),
    memory: memory(),
  })
  .check(NEEDS_CONTAINER);

const VCPUS = 'must be a number from 0.25 to 192';
const PARAMETER = /^[\w.-]{1,128}$/;

/** A job of Batch. */
export const BatchFields = z.strictObject({
  type: z.literal('batch'),
  jobDefinitionArn: arn('A revision, or without one: the latest.'),
  jobQueueArn: textUpTo(256),
  environment: environment('Variables of its container. No secrets.'),
  parameters: described(
    z.optional(
      texts('parameters', (name) =>
        PARAMETER.test(name) ? undefined : 'must be 1 to 128 letters, digits, ".", "_" or "-"',
      ),
    ),
    { description: 'What `Ref::name` becomes in the command. No secrets.' },
  ),
  fatalExitCodes: fatalExitCodes(),
  command: command(),
  vcpus: described(z.optional(z.number().check(z.gte(0.25, VCPUS), z.lte(192, VCPUS))), {
    description: `Processors, ${ALLOWED}`,
  }),
  memory: memory(),
});

const ARGUMENT = /^--[A-Za-z0-9_-]{1,128}$/;
/** What Glue reads itself: the code that runs, how it runs, and what it may load. */
const RESERVED =
  /^--(?:scriptlocation|class|job-language|job_name|job-name|conf|debug|mode|endpoint|extra-.*|user-jars-.*|additional-.*|python-.*|customer-.*|library-.*|executor-.*|.*classpath.*)$/i;

/** A run of a Glue job. */
export const GlueFields = z.strictObject({
  type: z.literal('glue'),
  glueJobArn: textUpTo(256),
  arguments: described(
    z.optional(
      texts('arguments', (name) => {
        if (!ARGUMENT.test(name)) return 'must be "--" and 1 to 128 letters, digits, "_" or "-"';
        if (OWN.test(name)) return 'is set by Quarterjack';
        return RESERVED.test(name) ? 'is not allowed: it decides which code runs' : undefined;
      }),
    ),
    { description: 'By names such as `--day`. No secrets.' },
  ),
});

/** A build of a CodeBuild project. */
export const CodeBuildFields = z.strictObject({
  type: z.literal('codebuild'),
  projectArn: textUpTo(256),
  environment: environment('Variables of the build. No secrets.'),
});
