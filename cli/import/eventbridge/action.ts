import type { Target } from '@aws-sdk/client-scheduler';

import { isObject } from '../../is-object';
import { actionNamed, allowedEntry, textsOf } from '../action';
import { type Json, neededText, objectsIn, Unmapped } from '../json';
import type { Called } from './called';

/** Where a schedule is, and what it calls. */
interface Place {
  /** ARN of the schedule; empty: a file does not say it. */
  scheduleArn: string;
  region: string | undefined;
}

/**
 * The target of a call of AWS, such as `kinesis:putRecord`, with its input as it is. Throws `Unmapped`
 * if targets cannot call that.
 */
export function actionFromAws(call: string, input: Json, place: Place, notes: string[]): Called {
  const action = actionNamed(call);
  const { input: replaced, hasTemplates } = withTemplates(input, place.scheduleArn, notes);
  return {
    target: { type: 'aws', action, input: replaced, ...(place.region && { region: place.region }) },
    payload: undefined,
    called: [],
    allowed: allowedEntry(action, input),
    ...(hasTemplates && { templates: true }),
  };
}

const ATTRIBUTE = /<aws\.scheduler\.([a-z-]+)>/g;

/** The input with templates in place of what AWS fills in. */
function withTemplates(
  input: Json,
  scheduleArn: string,
  notes: string[],
): { input: Json; hasTemplates: boolean } {
  const hasTemplates = textsOf(input).some((text) => /<aws\.scheduler\.[a-z-]+>/.test(text));
  if (!hasTemplates) return { input, hasTemplates };
  const values: Readonly<Record<string, string>> = {
    'scheduled-time': '{{ run.dueAt }}',
    'execution-id': '{{ run.id }}',
    'schedule-arn': scheduleArn,
    'attempt-number': '1',
  };
  const replaced = (text: string): string =>
    // A text that has braces already means them.
    text.replaceAll('{{', '{{{{').replace(ATTRIBUTE, (attribute, name: string) => {
      if (name === 'attempt-number')
        notes.push(`its ${attribute} is 1 in all attempts: an input never changes`);
      const value = values[name];
      if (value === undefined || value === '')
        throw new Unmapped(`its input has ${attribute}, which is not known`);
      return value;
    });
  return { input: mapTexts(input, replaced) as Json, hasTemplates };
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]));
}

/** Targets that EventBridge Scheduler calls by templates of its own, as the calls that they are. */
const TEMPLATED: Readonly<
  Record<string, { call: string; inputOf(target: Target, name: string, text: string): Json }>
> = {
  'kinesis:stream': {
    call: 'kinesis:putRecord',
    inputOf: ({ Arn, KinesisParameters }, _, text) => ({
      StreamARN: Arn,
      PartitionKey: neededText({ ...KinesisParameters }, 'PartitionKey'),
      Data: text,
    }),
  },
  'firehose:deliverystream': {
    call: 'firehose:putRecord',
    inputOf: (_, name, text) => ({ DeliveryStreamName: name, Record: { Data: text } }),
  },
  'sagemaker:pipeline': {
    call: 'sagemaker:startPipelineExecution',
    inputOf: ({ Arn, SageMakerPipelineParameters }) => {
      const list = objectsIn({ ...SageMakerPipelineParameters }, 'PipelineParameterList');
      return { PipelineName: Arn, ...(list.length > 0 && { PipelineParameters: list }) };
    },
  },
};

/** The call that such a target is; undefined: it is none of them. */
export function templatedCall(
  target: Target,
  { service, resource }: { service: string; resource: string },
): { call: string; input: Json } | undefined {
  const [kind = '', ...rest] = resource.split('/');
  const found = TEMPLATED[`${service}:${kind}`];
  return found && { call: found.call, input: found.inputOf(target, rest.join('/'), target.Input ?? '{}') };
}
