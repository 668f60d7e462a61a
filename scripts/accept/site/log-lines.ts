/** Names of the metrics in lines of CloudWatch's embedded metric format. Other lines are left out. */
export function metricNamesIn(lines: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const line of lines) {
    if (!line.includes('"_aws"')) continue;
    const { _aws } = parsed(line) as {
      _aws?: { CloudWatchMetrics?: { Metrics?: { Name: string }[] }[] };
    };
    for (const { Metrics = [] } of _aws?.CloudWatchMetrics ?? [])
      for (const { Name } of Metrics) names.add(Name);
  }
  return names;
}

/** Messages of lines of level ERROR since then. */
export function errorLinesIn(lines: readonly string[], sinceMs: number): string[] {
  return lines.flatMap((line) => {
    if (!line.includes('"ERROR"')) return [];
    const { level, timestamp, message } = parsed(line) as Partial<
      Record<'level' | 'timestamp' | 'message', string>
    >;
    return level === 'ERROR' && Date.parse(timestamp ?? '') >= sinceMs ? [message ?? line] : [];
  });
}

/** A line that was cut off is no JSON. */
function parsed(line: string): object {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}
