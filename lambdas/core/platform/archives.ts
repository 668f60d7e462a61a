import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import type { Clock } from '../clock/clock';
import type { HistoryArchive } from '../store/history-archive';
import { folderArchive } from './folder-archive';
import { s3Archive } from './s3-archive';

/**
 * What is behind the address of an export: a bucket in the region of the function, with its rights.
 *
 * @param to `s3://BUCKET/PREFIX`, or `file:///FOLDER/` in the local run
 */
export const archiveAt = (to: string, clock: Clock): HistoryArchive =>
  to.startsWith('file:')
    ? folderArchive(to)
    : s3Archive(to, { ...new SecretsManagerClient().config, clock, fetch });
