import type { AttributeValue } from '@aws-sdk/client-dynamodb';

import { SECOND_MS } from '../../../clock/clock';
import { EXECUTIONS_KEY } from '../../../contracts/tables';
import type { ExecutionChange } from '../../execution-stream';
import type { Row } from '../access';
import { nativeRow } from '../native-attributes';
import { executionOf } from './execution-row';

type Image = Record<string, AttributeValue>;

/** The part of a stream record that is used here, with the new and the old image. */
export interface StreamRecord {
  eventID?: string;
  dynamodb?: {
    ApproximateCreationDateTime?: number;
    SequenceNumber?: string;
    NewImage?: Image;
    OldImage?: Image;
  };
}

/**
 * The change of an execution; undefined if the row is none. Throws an error that names the row, if it cannot
 * be read.
 */
export function changeIn({ eventID, dynamodb = {} }: StreamRecord): ExecutionChange | undefined {
  const { ApproximateCreationDateTime, SequenceNumber, NewImage, OldImage } = dynamodb;
  if (eventID === undefined || SequenceNumber === undefined || ApproximateCreationDateTime === undefined)
    throw new Error(`stream record ${JSON.stringify(eventID)} has no id, sequence number or time`);
  const after = NewImage && nativeRow(NewImage);
  const before = OldImage && nativeRow(OldImage);
  const row = after ?? before;
  if (!row || !isOfExecution(row)) return undefined;
  return {
    name: eventID,
    sequence: SequenceNumber,
    atMs: ApproximateCreationDateTime * SECOND_MS,
    before: before && executionOf(before),
    after: after && executionOf(after),
  };
}

/** The keys of all other rows begin with `#`: of the partition, or beside tasks and items. */
const isOfExecution = ({
  [EXECUTIONS_KEY.partition]: partition,
  [EXECUTIONS_KEY.sort]: sort,
}: Row): boolean => !String(partition).startsWith('#') && !String(sort).startsWith('#');
