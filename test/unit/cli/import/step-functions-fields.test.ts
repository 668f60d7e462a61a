import { FIELDS, type Kind, type Rule } from '../../../../cli/import/step-functions/fields';
import { importFromStepFunctions } from '../../../../cli/import/step-functions/translate';
import { type Json, WHOLE, valueOf, withField } from '../../../support/state-machines/fields';

/** The fields of the specification by the objects that have them, in both query languages. */
const SPECIFIED: Record<string, string> = {
  machine: 'Comment StartAt States Version TimeoutSeconds QueryLanguage',
  branch: 'Comment StartAt States QueryLanguage',
  processor: 'Comment StartAt States QueryLanguage ProcessorConfig',
  processorConfig: 'Mode ExecutionType',
  Task:
    'Type Comment QueryLanguage InputPath OutputPath Next End ResultPath Parameters ResultSelector Retry Catch ' +
    'Resource TimeoutSeconds TimeoutSecondsPath HeartbeatSeconds HeartbeatSecondsPath Credentials Arguments Output ' +
    'Assign',
  Pass: 'Type Comment QueryLanguage InputPath OutputPath Next End ResultPath Parameters Result Output Assign',
  Wait:
    'Type Comment QueryLanguage InputPath OutputPath Next End Seconds Timestamp SecondsPath TimestampPath Output ' +
    'Assign',
  Choice: 'Type Comment QueryLanguage InputPath OutputPath Choices Default Output Assign',
  Succeed: 'Type Comment QueryLanguage InputPath OutputPath Output',
  Fail: 'Type Comment QueryLanguage Error Cause ErrorPath CausePath',
  Parallel:
    'Type Comment QueryLanguage InputPath OutputPath Next End ResultPath Parameters ResultSelector Retry Catch ' +
    'Branches Arguments Output Assign',
  Map:
    'Type Comment QueryLanguage InputPath OutputPath Next End ResultPath Parameters ResultSelector Retry Catch ' +
    'ItemsPath ItemSelector ItemProcessor Iterator ItemReader ItemBatcher ResultWriter Label MaxConcurrency ' +
    'MaxConcurrencyPath ToleratedFailureCount ToleratedFailureCountPath ToleratedFailurePercentage ' +
    'ToleratedFailurePercentagePath Items Output Assign',
  retrier: 'Comment ErrorEquals IntervalSeconds MaxAttempts BackoffRate MaxDelaySeconds JitterStrategy',
  catcher: 'Comment ErrorEquals Next ResultPath Output Assign',
  rule: [
    'Comment Next Variable And Or Not Condition Output Assign IsPresent IsNull IsString IsNumeric IsBoolean',
    'IsTimestamp StringMatches BooleanEquals BooleanEqualsPath',
    ...['String', 'Numeric', 'Timestamp'].flatMap((type) =>
      ['Equals', 'GreaterThan', 'GreaterThanEquals', 'LessThan', 'LessThanEquals'].map(
        (order) => `${type}${order} ${type}${order}Path`,
      ),
    ),
  ].join(' '),
};

const importOf = (machine: Json) => importFromStepFunctions(machine, 'm', 'm', { partial: true });
const reasonsOf = (machine: Json): string =>
  importOf(machine)
    .refused.map(({ source, reason }) => `${source}: ${reason}`)
    .join('\n');

const rows = Object.entries(FIELDS).flatMap(([kind, rules]) =>
  Object.entries(rules as Record<string, Rule>).map(([field, rule]) => ({ kind: kind as Kind, field, rule })),
);
const namesOf = (wanted: (rule: Rule) => boolean) =>
  rows.filter(({ rule }) => wanted(rule)).map(({ kind, field }) => [kind, field] as const);

test.each(Object.entries(SPECIFIED))('each field of the specification has a rule: %s', (kind, names) => {
  expect(names.split(' ').filter((name) => !Object.hasOwn(FIELDS[kind as Kind], name))).toEqual([]);
});

test.each(Object.keys(FIELDS) as Kind[])('a field that no rule knows is refused by its name: %s', (kind) => {
  const { base, inMachine } = WHOLE[kind];
  const json = { ...base, Colour: 'red', ...(kind === 'rule' && { IsPresent: true }) };
  expect(reasonsOf(inMachine(json))).toContain('Colour');
});

test.each(namesOf((rule) => typeof rule !== 'string'))('%s: %s is refused by its name', (kind, field) => {
  const { base, inMachine } = WHOLE[kind];
  const json = {
    ...base,
    ...(kind === 'rule' && { IsPresent: true }),
    [field]: valueOf(kind, field) ?? '$.x',
  };
  expect(reasonsOf(inMachine(json))).toMatch(new RegExp(`^m(: \\w+)?: .*\\b${field} `, 'm'));
});

test.each(namesOf((rule) => rule === 'mapped'))('%s: %s counts, or its value is refused', (kind, field) => {
  const { base, inMachine } = WHOLE[kind];
  const isCompared = kind === 'rule' && ['Variable', 'Next'].includes(field);
  const isOwn = field === 'Authentication' || field === 'InvocationConfig';
  if (isOwn) {
    // The connection is named in any case: its credentials are not part of the definition.
    const { jobs } = importOf(inMachine({ ...base, [field]: { ConnectionArn: 'c' } }));
    expect(jobs[0]!.notes.join()).toContain('its connection is not imported');
    return;
  }
  const before = inMachine({ ...base, ...(isCompared && { IsPresent: true }) });
  const after = inMachine(withField(kind, field));
  expect(valueOf(kind, field)).toBeDefined();
  const isDefault = field === 'End' || (field === 'Next' && kind === 'rule');
  if (isDefault) return expect(importOf(after).refused).toEqual([]);
  expect(importOf(after)).not.toEqual(importOf(before));
});

test.each(namesOf((rule) => rule === 'silent'))('%s: %s changes nothing that is called', (kind, field) => {
  const { base, inMachine } = WHOLE[kind];
  const plain = { ...base, ...(kind === 'rule' && { IsPresent: true }) };
  const tasksOf = (machine: Json) => {
    const { jobs, refused } = importOf(machine);
    const { tasks } = jobs[0]!.definition.workflow as { tasks: Record<string, { note?: string }> };
    return [refused, Object.values(tasks).map((task) => ({ ...task, note: undefined }))];
  };
  expect(tasksOf(inMachine({ ...plain, [field]: 'x' }))).toEqual(tasksOf(inMachine(plain)));
});
