/** Whether a text matches a pattern, where `*` matches any characters and `?` exactly one. */
export function matchesWildcard(pattern: string, text: string): boolean {
  const expression = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(text);
}

const ARN_PARTS = 6;

/**
 * Whether an ARN matches a pattern, part by part: a wildcard does not match across the first five colons. The
 * pattern `*` matches every ARN.
 */
export function matchesArn(pattern: string, arn: string): boolean {
  if (pattern === '*') return true;
  const patterns = partsOf(pattern);
  const parts = partsOf(arn);
  return (
    patterns.length === parts.length && parts.every((part, n) => matchesWildcard(patterns[n] ?? '', part))
  );
}

function partsOf(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, ARN_PARTS - 1), parts.slice(ARN_PARTS - 1).join(':')];
}
