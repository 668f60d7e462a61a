/**
 * Grants for work that only an outage of minutes, a lost answer or a race causes. A run in real time is too
 * short for it, or would need luck. On virtual time, tests show that each grant is needed.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'the scanner skips what fell due in an outage, by the misfire policy': [
    'scanner dynamodb:PutItem executions',
    'scanner dynamodb:Query executions',
    'scanner events:PutEvents bus',
  ],
  'the answer to such a write is lost, and the row is read to recognize it': [
    'scanner dynamodb:GetItem executions',
    'auditor dynamodb:GetItem executions',
  ],
  'a recheck files several occurrences of an outage at once, to be caught up with': [
    'sweeper dynamodb:BatchWriteItem schedule',
  ],
  'the job of an attempt with a ticket is paused, and its message is lost': [
    'sweeper dynamodb:DeleteItem schedule',
    'sweeper dynamodb:UpdateItem jobs',
  ],
  'an unclaimed occurrence is recorded after its job was paused': [
    'sweeper dynamodb:GetItem jobs',
    'sweeper dynamodb:PutItem executions',
    'sweeper events:PutEvents bus',
  ],
  'a row says of a job what it no longer uses, ten minutes after its change': [
    'auditor dynamodb:DeleteItem jobs',
  ],
  'a job is awaited by none any more, ten minutes after its last waiter was deleted': [
    'auditor dynamodb:Query jobs',
  ],
  'a request dies before it has replanned the jobs of a changed calendar': [
    'auditor dynamodb:PutItem jobs',
    'auditor dynamodb:DeleteItem schedule',
    'auditor dynamodb:UpdateItem executions',
  ],
  'the auditor finds what fell due in an outage, and the misfire policy skips it': [
    'auditor dynamodb:BatchGetItem jobs',
  ],
  'a project has notifications: what they know of its jobs': ['sweeper dynamodb:Query jobs'],
  'a job is paused after failures in a row': ['sweeper dynamodb:PutItem jobs'],
  'a claim finds work that must not run now, or goes elsewhere': [
    'worker dynamodb:PutItem executions',
    'worker dynamodb:Query executions',
    'worker dynamodb:Query jobs',
    'worker events:PutEvents bus',
    'worker sqs:SendMessage queues',
  ],
  'a ping comes after its time: what stops of the deployment add to it': ['ping dynamodb:Query schedule'],
  'an owner deletes a secret': ['api dynamodb:DeleteItem executions'],
};

export const RARE_GRANTS: readonly string[] = Object.values(REASONS).flat();
