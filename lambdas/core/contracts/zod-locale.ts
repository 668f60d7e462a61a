import { en } from 'zod/v4/locales';
import * as z from 'zod/mini';

// `zod/mini` has no error messages of its own. Modules whose errors reach a user import this file.
z.config(en());
