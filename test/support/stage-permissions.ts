import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As the folders of `lambdas/` are named. */
export type StageName =
  | 'api'
  | 'tick'
  | 'scanner'
  | 'executor'
  | 'sweeper'
  | 'auditor'
  | 'worker'
  | 'ping'
  | 'watcher';

interface Statement {
  Action: string | string[];
  Resource: unknown;
}

interface Document {
  Statement: Statement[];
}

type Resources = Record<
  string,
  { Type: string; Properties: { PolicyDocument: Document; Policies?: { PolicyDocument: Document }[] } }
>;

const golden = (part: string): Resources =>
  JSON.parse(readFileSync(join(__dirname, `../fixtures/golden-template/${part}.json`), 'utf8')) as Resources;

const resources = { ...golden('Stages'), ...golden('Watcher') };

/** What the template's roles allow the stages: `dynamodb:GetItem jobs`, `sqs:SendMessage executions`. */
const allowed = new Map<string, Set<string>>();

function allowedTo(stage: StageName): Set<string> {
  const known = allowed.get(stage);
  if (known) return known;
  const prefix = `Stages${stage.charAt(0).toUpperCase()}${stage.slice(1)}Role`;
  const statements = Object.entries(resources)
    .filter(([id, { Type }]) => Type.startsWith('AWS::IAM::') && id.startsWith(prefix))
    .flatMap(([, { Properties }]) => Properties.Policies ?? [Properties])
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
  const made = new Set(
    statements.flatMap(({ Action, Resource }) =>
      [Action].flat().flatMap((action) => namesIn(Resource).map((name) => `${action} ${name}`)),
    ),
  );
  allowed.set(stage, made);
  return made;
}

/** The execution queues of the pool `default`, in a policy. */
const QUEUES = /:sqs:[^"]*-default-\*"/;

/** `TablesJobs313634AE` is `jobs`; every execution queue is `queues`, the event bus `bus`. */
function namesIn(resource: unknown): string[] {
  if (QUEUES.test(JSON.stringify(resource))) return ['queues'];
  return [
    ...JSON.stringify(resource).matchAll(/"(Tables|Executions|Lifecycle)(\w+?)(?:Queue\w{8}|\w{8})"/g),
  ].map(([, part, name = '']) =>
    part === 'Tables' ? name.toLowerCase() : part === 'Lifecycle' ? 'bus' : 'queues',
  );
}

/** Calls that the stages' roles do not allow, and all calls, since the tests of a file began. */
export const denied: string[] = [];
export const used = new Set<string>();

/** IAM has no actions of these names; the document client calls them so. */
const OPERATIONS: Record<string, string> = {
  BatchGetCommand: 'BatchGetItem',
  BatchWriteCommand: 'BatchWriteItem',
  DeleteCommand: 'DeleteItem',
  GetCommand: 'GetItem',
  PutCommand: 'PutItem',
  QueryCommand: 'Query',
  ScanCommand: 'Scan',
  UpdateCommand: 'UpdateItem',
};

/** Throws, as AWS does, if a stage's role does not allow a call to the tables. */
export function checkTableCall(
  stage: StageName,
  { command, input }: { command: string; input: object },
): void {
  const { TableName, RequestItems } = input as { TableName?: string; RequestItems?: Record<string, unknown> };
  for (const table of TableName === undefined ? Object.keys(RequestItems ?? {}) : [TableName])
    check(stage, `dynamodb:${OPERATIONS[command] ?? command} ${table}`);
}

export const checkEvent = (stage: StageName): void => check(stage, 'events:PutEvents bus');

export const checkQueueCall = (stage: StageName, call: 'SendMessage' | 'GetQueueAttributes'): void =>
  check(stage, `sqs:${call} queues`);

function check(stage: StageName, what: string): void {
  used.add(`${stage} ${what}`);
  if (allowedTo(stage).has(what)) return;
  denied.push(`${stage} may not ${what}`);
  throw Object.assign(new Error(`the role of the ${stage} does not allow ${what}`), {
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400, attempts: 1 },
  });
}
