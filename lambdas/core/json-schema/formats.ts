/**
 * Formats of texts, each checked in linear time: no expression here can match one character in two ways. The
 * rest of a URI is not taken apart.
 */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: isDate,
  time: isTime,
  duration: isDuration,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  uuid: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
};

/** Longer texts are not checked. */
export const MAX_FORMAT_LENGTH = 2_048;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [year = 0, month = 0, day = 0] = match.slice(1).map(Number);
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** A leap second is one at the end of a day of UTC alone. */
function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (!match) return false;
  const [hour, minute, second] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === '-' ? -1 : 1);
  return second === 60 && (hour * 60 + minute - offset + 1_440) % 1_440 === 1_439;
}

function isDateTime(text: string): boolean {
  return /^.{10}[t]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** Without a gap between its units, as RFC 3339 has it. */
function isDuration(text: string): boolean {
  const match = /^P(?:\d+W|((?:\d+[YMD])*)(?:T((?:\d+[HMS])+))?)$/.exec(text);
  if (!match) return false;
  const [, date, time] = match;
  if (date === undefined) return true;
  if (date === '' && time === undefined) return false;
  return isRun('YMD', date) && (time === undefined || isRun('HMS', time));
}

const isRun = (units: string, text: string): boolean => units.includes(text.replaceAll(/\d/g, ''));

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i;

function isHostname(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.every((label) => label.length <= 63 && LABEL.test(label));
}

const ATOM = /^[\w!#$%&'*+/=?^`{|}~-]+$/;
const QUOTED = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  const isLocal = QUOTED.test(local) || local.split('.').every((atom) => ATOM.test(atom));
  return isLocal && (isLiteral(domain) || isHostname(domain));
}

/** An address in brackets: `[127.0.0.1]`, `[IPv6:::1]`. */
function isLiteral(domain: string): boolean {
  if (!domain.startsWith('[') || !domain.endsWith(']')) return false;
  const inner = domain.slice(1, -1);
  return inner.toLowerCase().startsWith('ipv6:') ? isIpv6(inner.slice(5)) : isIpv4(inner);
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups.at(-1) ?? '';
  const isMixed = last.includes('.') && text.endsWith(last);
  const plain = isMixed ? groups.slice(0, -1) : groups;
  if (!plain.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) || (isMixed && !isIpv4(last))) return false;
  const count = plain.length + (isMixed ? 2 : 0);
  return halves.length === 2 ? count < 8 : count === 8;
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const URI_TEXT = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;

function isUri(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return false;
  const [before = '', ...fragments] = text.slice(scheme.length).split('#');
  if (fragments.length > 1 || !fragments.every((part) => URI_TEXT.test(part))) return false;
  const authority = /^\/\/([^/?]*)/.exec(before);
  return authority
    ? isAuthority(authority[1]!) && URI_TEXT.test(before.slice(authority[0].length))
    : URI_TEXT.test(before);
}

function isAuthority(text: string): boolean {
  const parts = text.split('@');
  const host = parts.pop()!;
  if (parts.length > 1 || !parts.every((part) => URI_TEXT.test(part))) return false;
  const match = /^(?:\[([^[\]]*)\]|([^[\]:]*))(?::\d*)?$/.exec(host);
  if (!match) return false;
  const [, address, name = ''] = match;
  return address === undefined
    ? URI_TEXT.test(name)
    : isIpv6(address) || /^v[0-9a-f]+\.[\w\-.~!$&'()*+,;=:]+$/i.test(address);
}
