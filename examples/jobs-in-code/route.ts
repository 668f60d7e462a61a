/** Next.js: `app/jobs/route.ts`. Hono, Bun, Deno and Workers take the same function. */
import { serve } from 'quarterjack/jobs';

import * as jobs from './jobs.ts';

export const POST = serve(jobs).fetch;
