/** Express: the signature is over the raw body, so nothing may parse it before. */
import express from 'express';
import { serve } from 'quarterjack/jobs';

import * as jobs from './jobs.ts';

const app = express();
app.post('/jobs', express.raw({ type: '*/*' }), serve(jobs).node);
const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1');
process.once('SIGTERM', () => server.close());
