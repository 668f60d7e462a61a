import type { Actor } from '../../client';
import { plain } from '../terminal/table';

/** Who made a change, on one line: `alice@example.com`, `alice (key:ci)`. */
export const actorText = ({ sub, name, via }: Actor): string =>
  plain(via === 'token' ? (name ?? sub) : `${name ?? sub} (${via})`);
