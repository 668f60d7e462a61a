/** The W3C trace context of a request, as rows keep it: without the header there is none. */
export interface TraceContext {
  /** The caller's trace: 32 hex digits. */
  id: string;
  /** The caller's span: 16 hex digits. */
  parent: string;
  /** Bits `SAMPLED_FLAG` and `RANDOM_FLAG`; all others are 0. */
  flags: number;
  /** What tracing systems have put beside it, as `tracestate`. */
  state?: string;
}

export const SAMPLED_FLAG = 0x01;
/** The caller says that its trace id is random. */
const RANDOM_FLAG = 0x02;
const KNOWN_FLAGS = SAMPLED_FLAG | RANDOM_FLAG;

/** The gateway joins a header that comes twice by a comma. No version has one. */
const TRACEPARENT =
  /^[ \t]*(?<version>[\da-f]{2})-(?<id>[\da-f]{32})-(?<parent>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-[^,]*)?$/;
const KEY = String.raw`[a-z\d][a-z\d_\-*/@]{0,255}`;
const VALUE = String.raw`[\u0020-\u002b\u002d-\u003c\u003e-\u007e]{0,255}[\u0021-\u002b\u002d-\u003c\u003e-\u007e]`;
const MEMBER = new RegExp(`^(?<key>${KEY})=${VALUE}$`);
const MAX_MEMBERS = 32;
/** More of it would cost rows a second write unit. */
const MAX_STATE_LENGTH = 256;
const LONG_MEMBER = 128;

/**
 * The context that the headers `traceparent` and `tracestate` give, by W3C Trace Context. Undefined without
 * one, or with one that does not follow the rules: then `tracestate` is not read either.
 */
export function parseTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  const found = TRACEPARENT.exec(traceparent?.trimEnd() ?? '')?.groups;
  if (!found) return undefined;
  const { version, id, parent, flags, more } = found as Record<string, string | undefined>;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (isZero(id!) || isZero(parent!)) return undefined;
  const state = parseTracestate(tracestate ?? '');
  return {
    id: id!,
    parent: parent!,
    flags: Number.parseInt(flags!, 16) & KNOWN_FLAGS,
    ...(state !== undefined && { state }),
  };
}

const isZero = (hex: string): boolean => /^0+$/.test(hex);

/** Undefined: it is empty, or a member is invalid. Of members with one key, the first is the newest. */
function parseTracestate(header: string): string | undefined {
  const given = header
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  if (given.length > MAX_MEMBERS) return undefined;
  const byKey = new Map<string, string>();
  for (const member of given) {
    const key = MEMBER.exec(member)?.groups?.['key'];
    if (key === undefined) return undefined;
    if (!byKey.has(key)) byKey.set(key, member);
  }
  const kept = shortened([...byKey.values()]);
  return kept.length > 0 ? kept.join(',') : undefined;
}

/** Drops whole members: long ones first, then from the end. */
function shortened(members: readonly string[]): readonly string[] {
  let kept = members;
  for (const isDropped of [({ length }: string) => length > LONG_MEMBER, () => true]) {
    while (kept.join(',').length > MAX_STATE_LENGTH) {
      const last = kept.findLastIndex(isDropped);
      if (last < 0) break;
      kept = kept.toSpliced(last, 1);
    }
  }
  return kept;
}
