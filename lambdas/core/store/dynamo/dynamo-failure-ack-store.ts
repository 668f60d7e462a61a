import { EXECUTIONS_KEY, failureAcksKeyOf } from '../../contracts/tables';
import type { FailureAck } from '../../domain/failure-ack';
import type { FailureAckStore } from '../failure-ack-store';
import type { Row, TableAccess } from './access';
import { DeleteCommand, PutCommand } from './commands';
import { queryRows } from './query-rows';

const { partition, sort } = EXECUTIONS_KEY;
const keyOf = (project: string, fingerprint: string): Row => ({
  [partition]: failureAcksKeyOf(project),
  [sort]: fingerprint,
});

/** In Executions: TTL removes them. Cost: 1 read unit each 4 KB of a project's, 1 write unit a KB. */
export const dynamoFailureAckStore = ({ documents, table, ...rest }: TableAccess): FailureAckStore => ({
  async list(project) {
    const { rows } = await queryRows(
      { documents, table, ...rest },
      { condition: `#${partition} = :partition`, values: { ':partition': failureAcksKeyOf(project) } },
    );
    return rows.map(({ [partition]: _, [sort]: fingerprint, ...row }) => {
      return { ...row, project, fingerprint } as unknown as FailureAck;
    });
  },

  /** No condition: the last one counts. */
  async put({ project, fingerprint, ...ack }) {
    await documents.send(
      new PutCommand({ TableName: table, Item: { ...ack, ...keyOf(project, fingerprint) } }),
    );
  },

  async remove(project, fingerprint) {
    await documents.send(new DeleteCommand({ TableName: table, Key: keyOf(project, fingerprint) }));
  },
});
