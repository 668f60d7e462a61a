import { PutCommand } from '../commands';

import { CONTROL_SORT, SCHEDULE_KEY, MAINTENANCE_KEY } from '../../../contracts/tables';
import type { MaintenanceStop } from '../../schedule-store';
import type { Row, TableAccess } from '../access';
import { readRow } from '../read-row';

const maintenanceKey: Row = { [SCHEDULE_KEY.partition]: MAINTENANCE_KEY, [SCHEDULE_KEY.sort]: CONTROL_SORT };

/** Consistent. Cost: 1 read unit. */
export async function readMaintenance(access: TableAccess): Promise<MaintenanceStop | undefined> {
  const row = await readRow(access, maintenanceKey);
  if (typeof row?.sinceMs !== 'number') return undefined;
  const { sinceMs, by, reason } = row;
  return { sinceMs, by: String(by), ...(typeof reason === 'string' && { reason }) };
}

/** No condition: the later of two operators wins. Cost: 1 write unit. */
export async function writeMaintenance(
  access: TableAccess,
  stop: MaintenanceStop | undefined,
): Promise<void> {
  await access.documents.send(
    new PutCommand({ TableName: access.table, Item: { ...maintenanceKey, ...stop } }),
  );
}
