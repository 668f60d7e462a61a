import { NOTE_HEADER, MAX_NOTE } from '../../core/http/fields';
import type { Author } from '../../core/domain/actor';
import type { ApiRequest } from '../request';
import { deliveryDepthOf } from './loop-guard';
import { invalidField } from './problem';

const HEADER = NOTE_HEADER.toLowerCase();

/**
 * What the actor writes about a change, from the header `Quarterjack-Note`: UTF-8, percent-encoded. Undefined
 * without the header, and if it is empty. Throws `ProblemError` 400.
 */
export function noteOf({ headers }: Pick<ApiRequest, 'headers'>): string | undefined {
  const header = headers[HEADER]?.trim();
  if (!header) return undefined;
  if (!/^[\u0020-\u007e]*$/.test(header)) throw notEncoded();
  const note = decoded(header);
  const length = Array.from(note).length;
  if (length > MAX_NOTE)
    throw invalidField(NOTE_HEADER, `must have at most ${MAX_NOTE} characters after decoding, not ${length}`);
  return note;
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw notEncoded();
  }
}

const notEncoded = () =>
  invalidField(NOTE_HEADER, 'must be percent-encoded UTF-8, as encodeURIComponent writes it');

/** Throws `ProblemError` 400 for a note that cannot be read. */
export function authorOf(request: Pick<ApiRequest, 'by' | 'headers'>): Author {
  const note = noteOf(request);
  return note === undefined ? { by: request.by } : { by: request.by, note };
}

/** Who changes a job by a request, and what has led to it. Throws `ProblemError` for a bad header. */
export const changeOriginOf = async (request: ApiRequest) => ({
  ...authorOf(request),
  deliveryDepth: deliveryDepthOf(request),
  trace: await request.trace?.(),
});
