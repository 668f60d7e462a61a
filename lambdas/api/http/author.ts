import type { Author } from '../../core/domain/actor';
import type { ApiRequest } from '../request';
import { noteOf } from './note';

/** Throws `ProblemError` 400 for a note that cannot be read. */
export function authorOf(request: Pick<ApiRequest, 'by' | 'headers'>): Author {
  const note = noteOf(request);
  return note === undefined ? { by: request.by } : { by: request.by, note };
}
