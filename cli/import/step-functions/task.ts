import { isObject } from '../../is-object';
import { type Document, expressionOf, payloadOf } from './document';
import { type Json, listOf, textOf, Unmapped } from './machine';

const LAMBDA = /^arn:aws[a-z-]*:lambda:/;
const SERVICE = /^arn:aws[a-z-]*:states:::(.+)$/;
const MOST_SECONDS = 14 * 60;
const MOST_ATTEMPTS = 100;

/** The fields of a task that calls what a Task state calls. Throws `Unmapped`. */
export function callOf(json: Json, document: Document, notes: string[]): Json {
  const resource = textOf(json, 'Resource') ?? '';
  if (LAMBDA.test(resource))
    return { target: { type: 'lambda', functionArn: resource }, input: inputOf(json, document) };
  const [, service = resource] = SERVICE.exec(resource) ?? [];
  if (service.endsWith('.waitForTaskToken'))
    throw new Unmapped(`${service} waits for a token of Step Functions: use a target with mode async`);
  const given = isObject(json.Parameters) ? json.Parameters : {};
  const made = TARGETS[service]?.(given, notes);
  if (!made) throw new Unmapped(`the resource ${resource} has no counterpart: let a Lambda function call it`);
  const [target, body] = made;
  return { target, ...bodyOf(body, given, document) };
}

/** The named argument, or the path that it is taken from. */
function bodyOf(name: string | undefined, given: Json, document: Document): Json {
  if (name === undefined) return {};
  const path = textOf(given, `${name}.$`);
  if (path !== undefined) return { input: `{{ ${expressionOf(path, document)} }}` };
  return given[name] === undefined ? {} : { input: payloadOf(given[name], document) };
}

function inputOf(json: Json, document: Document): unknown {
  if (json.Parameters !== undefined) return payloadOf(json.Parameters, document);
  return `{{ ${expressionOf(textOf(json, 'InputPath') ?? '$', document)} }}`;
}

/** A fixed argument: targets take no templates. Throws `Unmapped`. */
function fixed(given: Json, name: string): string {
  const value = textOf(given, name);
  if (value !== undefined) return value;
  throw new Unmapped(`${name} is no fixed text, and a target has no templates for it`);
}

type Made = [target: Json, argument: string | undefined];

const startExecution = (given: Json, notes: string[]): Made => {
  notes.push('it does not wait for the end of the execution that it starts');
  return [{ type: 'stepfunctions', stateMachineArn: fixed(given, 'StateMachineArn') }, 'Input'];
};

const TARGETS: Readonly<Record<string, (given: Json, notes: string[]) => Made>> = {
  'lambda:invoke': (given) => [{ type: 'lambda', functionArn: fixed(given, 'FunctionName') }, 'Payload'],
  'sqs:sendMessage': (given) => [{ type: 'sqs', queueUrl: fixed(given, 'QueueUrl') }, 'MessageBody'],
  'sns:publish': (given) => [{ type: 'sns', topicArn: fixed(given, 'TopicArn') }, 'Message'],
  'states:startExecution': (given) => [
    { type: 'stepfunctions', stateMachineArn: fixed(given, 'StateMachineArn') },
    'Input',
  ],
  'states:startExecution.sync': startExecution,
  'states:startExecution.sync:2': startExecution,
  'http:invoke': (given, notes) => {
    notes.push('its connection is not imported: give the target an auth with a secret');
    const method = textOf(given, 'Method') ?? 'POST';
    return [{ type: 'http', url: fixed(given, 'ApiEndpoint'), method }, 'RequestBody'];
  },
};

/** `retry` and `timeout` of a state. */
export function limitsOf(json: Json, notes: string[]): Json {
  const seconds = typeof json.TimeoutSeconds === 'number' ? json.TimeoutSeconds : undefined;
  if (seconds !== undefined && seconds > MOST_SECONDS)
    notes.push(`its time-out of ${seconds} s becomes 14m, the maximum of a call`);
  const timeout = seconds === undefined ? {} : { timeout: `${Math.min(seconds, MOST_SECONDS)}s` };
  const [retrier, ...others] = listOf(json, 'Retry');
  if (!retrier) return { ...timeout, retry: { maxAttempts: 1 } };
  if (others.length > 0) notes.push('only its first Retry is imported');
  const numberOf = (field: string, byDefault: number) =>
    typeof retrier[field] === 'number' ? retrier[field] : byDefault;
  const multiplier = Math.min(10, Math.max(1, numberOf('BackoffRate', 2)));
  const longest = retrier.MaxDelaySeconds;
  return {
    ...timeout,
    retry: {
      maxAttempts: Math.min(MOST_ATTEMPTS, numberOf('MaxAttempts', 3) + 1),
      initialDelay: `${numberOf('IntervalSeconds', 1)}s`,
      multiplier,
      ...(typeof longest === 'number' && { maxDelay: `${longest}s` }),
      jitter: retrier.JitterStrategy === 'FULL' ? 'full' : 'none',
    },
  };
}
