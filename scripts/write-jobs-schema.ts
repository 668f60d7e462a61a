import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { jobsSchema } from './jobs-schema';

/** `npm run jobs:schema`: writes the schema of `jobs.yaml`, for editors. */
const folder = join(__dirname, '../schema');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'jobs.schema.json'), `${JSON.stringify(jobsSchema(), null, 1)}\n`);
