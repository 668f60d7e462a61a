import * as z from 'zod';

import { Instant, orNull } from './answers';
import { LOG_STREAMS } from './log';

/* Bodies of responses about logs. Operations import only their types. */

export const LogReceiptView = z
  .strictObject({
    bytes: z.int().meta({ description: 'Bytes of text of the attempt so far, as far as they count.' }),
    truncated: z.boolean().meta({
      description:
        'true: the limit of the attempt or of the project’s day is reached, and nothing more is kept.',
    }),
  })
  .meta({ id: 'LogReceipt', description: 'What became of a chunk.' });
export type LogReceiptView = z.output<typeof LogReceiptView>;

export const LogPage = z
  .strictObject({
    items: z.array(
      z.strictObject({
        attempt: z.int(),
        at: Instant,
        stream: z.enum([...LOG_STREAMS, 'system']).meta({
          description: '`system`: the line is Quarterjack’s own, such as the one that says `truncated`.',
        }),
        text: z.string(),
      }),
    ),
    nextCursor: orNull(z.string()).meta({
      description:
        'Cursor of what follows. While an attempt works, there always is one, also after an empty page; null at the end.',
    }),
  })
  .meta({ id: 'LogPage', description: 'Lines of a log, in order.' });
export type LogPage = z.output<typeof LogPage>;
