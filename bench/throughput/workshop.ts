import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { MemoryTables } from '../../test/support/dynamo/memory-tables';
import { TABLE_KEYS } from '../../test/support/dynamo/table-keys';
import { makeIdentity } from '../support/certificate';
import { synthesized, type Synthesized } from '../support/functions';
import { type Receiver, startReceiver } from '../support/receiver';
import { type MemoryAws, startMemoryAws } from './memory-aws';

/** What a stage needs around it, as long as it is measured. */
export interface Workshop {
  aws: MemoryAws;
  tables: MemoryTables;
  synthesized: Synthesized;
  receiver: Receiver;
  /** A receiver by https. Only processes that trust `authorityFile` accept its certificate. */
  secureReceiver: Receiver;
  authorityFile: string;
  profileDir: string | undefined;
  close(): void;
}

/** A store in this process, and the bundles of the template with nothing else to call. */
export async function openWorkshop(profileDir: string | undefined): Promise<Workshop> {
  const identity = makeIdentity(Date.now());
  const folder = mkdtempSync(join(tmpdir(), 'quarterjack-throughput-'));
  const authorityFile = join(folder, 'authority.pem');
  writeFileSync(authorityFile, identity.ca);
  const [receiver, secureReceiver] = [await startReceiver(), await startReceiver({ identity })];
  const keysByName = async (url: string) => {
    const made = await synthesized(url);
    const { JOBS_TABLE, EXECUTIONS_TABLE, SCHEDULE_TABLE } = made.functions.api.variables;
    return {
      [JOBS_TABLE!]: TABLE_KEYS.jobs,
      [EXECUTIONS_TABLE!]: TABLE_KEYS.executions,
      [SCHEDULE_TABLE!]: TABLE_KEYS.schedule,
    };
  };
  const tables = new MemoryTables(await keysByName('http://127.0.0.1:9'));
  const aws = await startMemoryAws(tables);
  return {
    aws,
    tables,
    synthesized: await synthesized(aws.url),
    receiver,
    secureReceiver,
    authorityFile,
    profileDir,
    close() {
      aws.close();
      receiver.close();
      secureReceiver.close();
      rmSync(folder, { recursive: true });
    },
  };
}
