import { parseTemplate } from '../../templates/parse';
import type { Renderer } from '../../templates/render';
import type { Part } from '../../templates/syntax';
import { TemplateError } from '../../templates/template-error';
import { MAX_URL_LENGTH } from '../address-policy';

/** A part of a URL, and whether it stands in the value of a query parameter, where secrets may stand. */
export interface UrlPart {
  part: Part;
  isQueryValue: boolean;
}

/** Scheme, host and port, up to the path or query. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?]/i;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
/** Replaces each expression where no values exist yet. */
const SAMPLE = 'x';

/** Parses a URL with templates in its path and query. Throws `TemplateError` if one stands before these. */
export function parseUrlTemplate(url: string): UrlPart[] {
  if (url.length > MAX_URL_LENGTH) throw new TemplateError(`must have at most ${MAX_URL_LENGTH} characters`);
  const parts = parseTemplate(url);
  const [first] = parts;
  const isPlain = parts.every((part) => typeof part === 'string');
  if (!isPlain && !(typeof first === 'string' && ORIGIN.test(first)))
    throw new TemplateError('may have templates in its path and query only, after "https://host/"');
  let query: string | undefined;
  return parts.map((part) => {
    if (typeof part === 'string') query = queryAfter(query, part);
    return { part, isQueryValue: query !== undefined && /=[^&]*$/.test(query) };
  });
}

/** The query so far, behind the last `&` of `literal`; undefined in the path. */
function queryAfter(query: string | undefined, literal: string): string | undefined {
  const start = literal.indexOf('?');
  const added = query === undefined ? (start < 0 ? undefined : literal.slice(start + 1)) : query + literal;
  return added?.slice(added.lastIndexOf('&') + 1);
}

/** The URL with the same word for each expression: what does not depend on them can be checked. */
export const sampleUrl = (parts: readonly UrlPart[]): string =>
  parts.map(({ part }) => (typeof part === 'string' ? part : SAMPLE)).join('');

/**
 * The URL with its values put in, percent-encoded, so that none adds a segment or a parameter. Throws
 * `TemplateError`.
 */
export function renderUrl(url: string, renderer: Renderer, secrets: ReadonlyMap<string, string>): string {
  const parts = parseUrlTemplate(url);
  const rendered = parts
    .map(({ part, isQueryValue }) =>
      renderer.text([part], { encode: percentEncoded, secrets: isQueryValue ? secrets : undefined }),
    )
    .join('');
  checkRenderedUrl(parts, rendered);
  return rendered;
}

/** Throws `TemplateError` if the URL is too long, or leads to another folder than it says. */
export function checkRenderedUrl(parts: readonly UrlPart[], rendered: string): void {
  if (rendered.length > MAX_URL_LENGTH)
    throw new TemplateError(
      `renders to ${rendered.length} characters; at most ${MAX_URL_LENGTH} are allowed`,
    );
  const isPlain = parts.every(({ part }) => typeof part === 'string');
  const [path = ''] = rendered.split('?');
  if (!isPlain && path.split('/').some((segment) => DOT_SEGMENT.test(segment)))
    throw new TemplateError('renders to a path with a segment "." or ".."');
}

/** Half of a surrogate pair becomes U+FFFD, as in every text that is sent. */
const percentEncoded = (value: string): string => encodeURIComponent(Buffer.from(value).toString());
