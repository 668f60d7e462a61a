import { execIdOfOccurrence, EXECUTIONS_KEY, TTL_ATTRIBUTE } from '../../lambdas/core/contracts/tables';
import { GetCommand } from '../../lambdas/core/store/dynamo/commands';
import type { ErrandRow } from '../../lambdas/core/store/errand-store';
import { T0_MS } from '../support/factories';
import { MACHINE } from '../support/fake-errands';
import type { StoreSetup } from './store-setup';

/** What the rows must do that say what an attempt was about to start. */
export function describeErrandStore(setup: () => StoreSetup): void {
  const aRow = (overrides: Partial<ErrandRow> = {}): ErrandRow => {
    const user = setup().freshUser();
    return {
      jobKey: `${user}/job`,
      execId: execIdOfOccurrence(T0_MS),
      name: `qj-${user}-0`,
      type: 'stepfunctions',
      resource: MACHINE,
      count: 0,
      firstStartAtMs: T0_MS,
      inputHash: 'abc',
      expiresAtSec: 4_000_000_000,
      ...overrides,
    };
  };

  describe('ErrandStore', () => {
    it('keeps what is started, by its name, in one write', async () => {
      const { client, errands } = setup();
      const row = aRow();
      expect(await errands.get(row.name)).toBeUndefined();
      const before = client.requests;
      expect(await errands.put(row)).toEqual({ row, isNew: true });
      expect(client.requests - before).toBe(1);
      expect(await errands.get(row.name)).toEqual(row);
    });

    it('has a partition for each name, which TTL removes', async () => {
      const { client, errands, tables } = setup();
      const row = aRow();
      await errands.put(row);
      const Key = { [EXECUTIONS_KEY.partition]: `#errand#${row.name}`, [EXECUTIONS_KEY.sort]: '#' };
      const get = new GetCommand({ TableName: tables.executions, Key, ConsistentRead: true });
      const { Item } = await client.documents.send(get);
      expect(Item).toMatchObject({ [TTL_ATTRIBUTE]: row.expiresAtSec, ofExecId: row.execId });
    });

    it('is no execution', async () => {
      const { errands, executions } = setup();
      const row = aRow();
      await errands.put(row);
      expect(await executions.get(row)).toBeUndefined();
    });

    it('leads from what a service calls an errand to its row', async () => {
      const { errands, freshUser } = setup();
      const row = aRow();
      const [resource, id] = ['arn:aws:glue:eu-central-1:111122223333:job/etl', `jr_${freshUser()}`];
      expect(await errands.getById({ resource, id })).toBeUndefined();
      await errands.put(row);
      await errands.keepId({ resource, id }, row.name, row.expiresAtSec);
      expect(await errands.getById({ resource, id })).toEqual(row);
      expect(await errands.getById({ resource: `${resource}2`, id })).toBeUndefined();
    });

    it('leaves a row as it is, and says what it has', async () => {
      const { errands } = setup();
      const row = aRow();
      await errands.put(row);
      const later = { ...row, resource: `${MACHINE}-2`, firstStartAtMs: T0_MS + 1, inputHash: 'other' };
      expect(await errands.put(later)).toEqual({ row, isNew: false });
      expect(await errands.put(row)).toEqual({ row, isNew: false });
      expect(await errands.get(row.name)).toEqual(row);
    });

    it('lets one of many processes write it', async () => {
      const { another } = setup();
      const row = aRow();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          another().errands.put({ ...row, firstStartAtMs: T0_MS + index, inputHash: String(index) }),
        ),
      );
      const [winner, ...more] = answers.filter(({ isNew }) => isNew);
      expect(more).toEqual([]);
      expect(new Set(answers.map((answer) => answer.row.inputHash))).toEqual(
        new Set([winner!.row.inputHash]),
      );
    });

    it('recognises its own row if an answer is lost, and no other one', async () => {
      const { client, errands } = setup();
      const row = aRow();
      client.loseNextAnswer();
      expect(await errands.put(row)).toEqual({ row, isNew: true });
      for (const other of [{ firstStartAtMs: T0_MS + 1 }, { inputHash: 'other' }]) {
        client.loseNextAnswer();
        expect(await errands.put({ ...row, ...other })).toEqual({ row, isNew: false });
      }
    });

    it('marks an errand that is out of sight, in one write, and makes no row for that', async () => {
      const { client, errands } = setup();
      const row = aRow();
      const lost = { name: row.name, id: 'arn:1' };
      await errands.loseSight(lost, T0_MS + 1);
      expect(await errands.get(row.name)).toBeUndefined();
      await errands.put(row);
      const before = client.requests;
      await errands.loseSight(lost, T0_MS + 1);
      expect(client.requests - before).toBe(1);
      expect(await errands.get(row.name)).toEqual({ ...row, lostSightAtMs: T0_MS + 1, id: 'arn:1' });
    });
  });
}
