import { unsupportedMediaType } from './problem';
import type { ApiRequest } from '../request';

/** Throws `ProblemError` 415 for a body that is compressed, or encoded otherwise. */
export function checkEncoding({ headers, body }: ApiRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (body === undefined || body.length === 0 || encoding === '' || encoding === 'identity') return;
  throw unsupportedMediaType(
    `the body has the Content-Encoding ${JSON.stringify(encoding.slice(0, 40))}; send it as it is`,
    {
      'accept-encoding': 'identity',
    },
  );
}

const MERGE_PATCH = 'application/merge-patch+json';
/** `curl -d` names its body a form, unless it is told otherwise. */
const PATCH_TYPES = ['', 'application/json', MERGE_PATCH, 'application/x-www-form-urlencoded'];

/** Throws `ProblemError` 415 for a patch of another kind than a JSON merge patch. */
export function checkPatchType({ headers }: ApiRequest): void {
  const type = headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
  if (PATCH_TYPES.includes(type)) return;
  throw unsupportedMediaType(
    `a patch of the type ${JSON.stringify(type.slice(0, 80))} is not known; send ${MERGE_PATCH}`,
    {
      'accept-patch': MERGE_PATCH,
    },
  );
}
