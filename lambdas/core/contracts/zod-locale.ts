import { en } from 'zod/v4/locales';
import * as z from 'zod/mini';

// `zod/mini` has no words of its own for what is wrong: whoever shows them imports this.
z.config(en());
