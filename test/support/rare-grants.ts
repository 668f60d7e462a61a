/**
 * What stages are allowed for work that takes minutes of an outage, a lost answer or a race to come about: too long, or
 * too much a matter of luck, for the run in real time. Virtual time shows that each of them is needed.
 */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'what fell due in an outage is skipped by the misfire policy, on the way of the scanner': [
    'scanner dynamodb:PutItem executions',
    'scanner dynamodb:Query executions',
    'scanner events:PutEvents bus',
  ],
  'the answer to such a write is lost, and the row is read to recognize it': [
    'scanner dynamodb:GetItem executions',
    'auditor dynamodb:GetItem executions',
  ],
  'several occurrences of an outage are filed at once to be caught up with, by the second look': [
    'sweeper dynamodb:BatchWriteItem schedule',
  ],
  'the job of an attempt that waits in line is paused, and nobody receives its message': [
    'sweeper dynamodb:DeleteItem schedule',
    'sweeper dynamodb:UpdateItem jobs',
  ],
  'an occurrence that nobody claimed is accounted for after its job was paused': [
    'sweeper dynamodb:GetItem jobs',
    'sweeper dynamodb:PutItem executions',
    'sweeper events:PutEvents bus',
  ],
};

export const RARE_GRANTS: readonly string[] = Object.values(REASONS).flat();
