import { actionNamed, allowedEntry } from '../action';
import { functionArnOf, isFunctionArn } from '../function-arn';
import { faultsOf, type Kind } from './fields';
import { type Json, neededText, objectIn, textIn, Unmapped } from '../json';
import type { Remarks } from './limits';
import type { Call } from './call';
import type { Scope } from './scope';
import { Arguments } from './arguments';
import { isSync, syncCallOf } from './sync';
import { EMPTY, escapedText, objectOf, pathTo, renderedOf, unknown, type Value } from './value';

const SDK = 'aws-sdk:';
const SERVICE = /^arn:aws[a-z-]*:states:::(.+)$/;

/** @param effective the input after InputPath. Throws `Unmapped`. */
export function callOf(
  json: Json,
  effective: Value,
  scope: Scope,
  { remarks, place }: { remarks: Remarks; place: string | undefined },
): Call {
  const resource = neededText(json, 'Resource');
  if (isFunctionArn(resource)) {
    const given = json.Parameters === undefined ? effective : scope.template(json.Parameters, effective);
    return {
      target: { type: 'lambda', functionArn: resource },
      input: renderedOf(given),
      service: 'lambda',
      resultOf: pathTo,
    };
  }
  const [, service = ''] = SERVICE.exec(resource) ?? [];
  if (service.endsWith('.waitForTaskToken'))
    throw new Unmapped(`${service} waits for a token of Step Functions: use a target with mode async`);
  const given = objectIn(json, 'Parameters') ?? {};
  if (isSync(service))
    return syncCallOf(service, new Arguments(given, effective, scope), { place, note: remarks.note });
  if (service.startsWith(SDK))
    return actionOf(service.slice(SDK.length), new Arguments(given, effective, scope), json);
  const call = Object.hasOwn(CALLS, service) ? CALLS[service as keyof typeof CALLS] : undefined;
  if (!call) throw new Unmapped(`the resource ${resource} has no counterpart: let a Lambda function call it`);
  const faults = faultsOf(service as Kind, given);
  if (faults.length > 0) throw new Unmapped(faults.join('; '));
  return call(new Arguments(given, effective, scope), remarks);
}

const ANSWER = unknown('the answer of an action has the names that its service gives, and no form is known');

/** A call of a service, with its arguments as they are. Throws `Unmapped` if no target may call it. */
function actionOf(call: string, given: Arguments, { Parameters }: Json): Call {
  const action = actionNamed(call);
  if (Parameters === undefined)
    throw new Unmapped(`${call} takes the whole input of the state: name its arguments in Parameters`);
  const input = renderedOf({ kind: 'object', fields: given.all() });
  return {
    target: { type: 'aws', action, input },
    input: undefined,
    service: 'action',
    allowed: allowedEntry(action, input),
    resultOf: () => ANSWER,
  };
}

const METADATA = unknown('the metadata of a call has no counterpart: read what the call returns');
const ID = (field: string, id: string) => (output: string) =>
  objectOf({ [field]: pathTo(`${output}.${id}`) }, METADATA);

const CALLS = {
  'lambda:invoke'(given: Arguments): Call {
    given.only('InvocationType', 'RequestResponse');
    const qualifier = given.value('Qualifier') && given.fixed('Qualifier');
    return {
      target: { type: 'lambda', functionArn: functionArnOf(given.fixed('FunctionName'), qualifier) },
      input: renderedOf(given.value('Payload') ?? EMPTY),
      service: 'lambda',
      resultOf: (output) => objectOf({ Payload: pathTo(output) }, METADATA),
    };
  },
  'http:invoke'(given: Arguments, { note }: Remarks): Call {
    const method = given.fixed('Method');
    if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
      throw new Unmapped(`the method ${method} has no counterpart`);
    const query = given.texts('QueryParameters');
    const url = withQuery(given.fixed('ApiEndpoint'), query);
    const headers = headersOf(given.texts('Headers'));
    note(
      'its connection is not imported, nor what that adds to a call: give the target an auth with a secret',
    );
    const body = given.value('RequestBody');
    return {
      target: { type: 'http', url, method, ...(Object.keys(headers).length > 0 && { headers }) },
      input: body && renderedOf(body),
      service: 'http',
      resultOf: (output) => objectOf({ ResponseBody: pathTo(output) }, METADATA),
    };
  },
  'sqs:sendMessage': (given: Arguments): Call => ({
    target: { type: 'sqs', queueUrl: standard(given.fixed('QueueUrl')) },
    input: given.message('MessageBody'),
    service: 'message',
    resultOf: ID('MessageId', 'messageId'),
  }),
  'sns:publish': (given: Arguments): Call => ({
    target: { type: 'sns', topicArn: standard(given.fixed('TopicArn')) },
    input: given.message('Message'),
    service: 'message',
    resultOf: ID('MessageId', 'messageId'),
  }),
  'states:startExecution': (given: Arguments): Call => ({
    target: { type: 'stepfunctions', stateMachineArn: given.fixed('StateMachineArn') },
    input: given.value('Input') ? given.message('Input') : {},
    service: 'start',
    resultOf: ID('ExecutionArn', 'executionArn'),
  }),
};

function standard(name: string): string {
  if (!name.endsWith('.fifo')) return name;
  throw new Unmapped('a FIFO queue or topic gets the group of the job here, and not that of the state');
}

function withQuery(url: string, query: readonly [string, string][]): string {
  const escaped = escapedText(url);
  if (query.length === 0) return escaped;
  const added = query.map(([name, text]) => {
    // A value in a URL is percent-encoded when it is rendered; a fixed one is encoded here.
    const value = text.startsWith('{{ ') ? text : encodeURIComponent(text.replaceAll('{{{{', '{{'));
    return `${encodeURIComponent(name)}=${value}`;
  });
  return `${escaped}${url.includes('?') ? '&' : '?'}${added.join('&')}`;
}

function headersOf(given: readonly [string, string][]): Json {
  const headers = Object.fromEntries(given);
  if (Object.keys(headers).length < given.length)
    throw new Unmapped('Headers has a name with several values');
  return headers;
}

/** Whether a task of HTTP may go without a body: a workflow with parameters would send those. */
export const hasNoBody = (call: Call): boolean => call.service === 'http' && call.input === undefined;

export const textOfFail = (json: Json, scope: Scope, input: Value): string => {
  const part = (name: 'Error' | 'Cause'): string | undefined => {
    const path = textIn(json, `${name}Path`);
    if (path === undefined) {
      const text = textIn(json, name);
      return text === undefined ? undefined : escapedText(text);
    }
    const rendered = renderedOf(scope.path(path, input));
    return typeof rendered === 'string' ? rendered : JSON.stringify(rendered);
  };
  // The first word makes it a text, whatever the paths render to.
  return ['Fail', part('Error'), part('Cause')].filter((one) => one !== undefined).join(': ');
};
