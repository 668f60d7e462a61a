/** A process that asks for work: no URL leads to it, and a job may take hours. */
import { serve } from 'quarterjack/jobs';

import * as jobs from './jobs.ts';

const worker = serve(jobs).worker({ queue: process.env.QUEUE ?? 'shop' });
process.once('SIGTERM', () => void worker.stop());
void worker.start();
