import { ScanCommand } from '../commands';

import { HAS_SECRETS_SORT, JOBS_KEY } from '../../../contracts/tables';
import type { Row, TableAccess } from '../access';
import { namesIn } from '../expressions';

const saysSo = `#${JOBS_KEY.sort} = :sort`;

/** The projects that have, or once had, secrets. Reads all of Jobs: 1 read unit each 4 KB. */
export async function* projectsWithSecrets({ documents, table }: TableAccess): AsyncGenerator<string> {
  let ExclusiveStartKey: Row | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: saysSo,
        ExpressionAttributeNames: namesIn(saysSo),
        ExpressionAttributeValues: { ':sort': HAS_SECRETS_SORT },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    for (const row of Items) yield row[JOBS_KEY.partition] as string;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
