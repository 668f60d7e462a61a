import type { Context } from 'aws-lambda';

import { Metric, METRICS_BY_PRIORITY } from '../../../../lambdas/core/contracts/metrics';
import { powertoolsLog } from '../../../../lambdas/core/platform/logger';
import { powertoolsMeter } from '../../../../lambdas/core/platform/meter';

/** What a function writes to stdout: CloudWatch reads it, so its shape is a contract. */
function capture(work: () => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  const writeError = jest.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
  try {
    work();
  } finally {
    write.mockRestore();
    writeError.mockRestore();
  }
  return lines
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('powertoolsMeter', () => {
  const meter = () => powertoolsMeter('scanner', { DEPLOYMENT: 'Quarterjack-dev' });
  const directiveOf = (line: Record<string, unknown> | undefined) =>
    (line!._aws as { CloudWatchMetrics: Record<string, unknown>[] }).CloudWatchMetrics[0]!;

  it('writes one line of the embedded format: counts added up, values kept apart', () => {
    const tested = meter();
    const [line, ...more] = capture(() => {
      tested.count(Metric.due);
      tested.count(Metric.due, 4);
      tested.record(Metric.latenessMs, 12);
      tested.record(Metric.latenessMs, 40);
      tested.record(Metric.cursorLagSec, 2);
      tested.flush();
    });
    expect(more).toEqual([]);
    expect(line).toMatchObject({
      stage: 'scanner',
      deployment: 'Quarterjack-dev',
      OccurrencesDue: 5,
      LatenessMs: [12, 40],
      CursorLagSec: 2,
    });
    const directive = directiveOf(line);
    expect(directive).toMatchObject({ Namespace: 'Quarterjack', Dimensions: [['deployment']] });
    expect(directive.Metrics).toEqual(
      expect.arrayContaining([
        { Name: 'OccurrencesDue', Unit: 'Count' },
        { Name: 'LatenessMs', Unit: 'Milliseconds' },
        { Name: 'CursorLagSec', Unit: 'Seconds' },
      ]),
    );
  });

  it('keeps what it was told when there are more values than fit on a line', () => {
    const tested = meter();
    const lines = capture(() => {
      for (let value = 1; value <= 250; value++) tested.record(Metric.latenessMs, value);
      tested.flush();
    });
    expect(lines.flatMap((line) => line.LatenessMs)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    for (const line of lines) expect(line).toMatchObject({ stage: 'scanner', deployment: 'Quarterjack-dev' });
  });

  it('copies by pool and priority only where the deployment asks for it', () => {
    const measure = (METRICS_BY_PRIORITY: 'on' | 'off') => {
      const tested = powertoolsMeter('executor', { DEPLOYMENT: 'Quarterjack-dev', METRICS_BY_PRIORITY });
      return capture(() => {
        for (const name of [Metric.claimed, Metric.succeeded, Metric.failed, Metric.retried])
          tested.count(name, 1, { pool: 'default', priority: 'high' });
        tested.record(Metric.latenessMs, 7, { pool: 'default', priority: 'high' });
        tested.flush();
      });
    };
    expect(measure('off')).toHaveLength(1);
    const [whole, copy, ...more] = measure('on');
    expect(more).toEqual([]);
    expect(directiveOf(whole).Dimensions).toEqual([['deployment']]);
    expect(directiveOf(copy).Dimensions).toEqual([['deployment', 'pool', 'priority']]);
    expect(copy).toMatchObject({
      deployment: 'Quarterjack-dev',
      pool: 'default',
      priority: 'high',
      LatenessMs: 7,
    });
    const names = (directiveOf(copy).Metrics as { Name: string }[]).map(({ Name }) => Name);
    expect(names.toSorted()).toEqual(METRICS_BY_PRIORITY.toSorted());
  });

  it('starts each invocation anew, and is silent where nothing happened', () => {
    const tested = meter();
    capture(() => {
      tested.count(Metric.due);
      tested.flush();
    });
    expect(capture(() => tested.flush())).toEqual([]);
  });
});

describe('powertoolsLog', () => {
  it('writes a line of JSON that names stage, invocation, fields and cause', () => {
    const log = powertoolsLog('executor');
    const lines = capture(() => {
      log.begin({ awsRequestId: 'request-1', functionName: 'f', memoryLimitInMB: '256' } as Context);
      log.info('claimed\n{"forged":true}', { execId: 'e1' });
      log.error('finish failed', new Error('outer', { cause: new Error('inner') }), { execId: 'e2' });
      log.error('odd', 'a string', {});
    });
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({
      level: 'INFO',
      service: 'executor',
      function_request_id: 'request-1',
      message: 'claimed\n{"forged":true}',
      execId: 'e1',
    });
    expect(lines[1]).toMatchObject({ level: 'ERROR', execId: 'e2', error: { message: 'outer' } });
    expect(JSON.stringify(lines[1])).toContain('inner');
    expect(lines[2]).toMatchObject({ cause: 'a string' });
  });

  it('names each failure of several, however deep it lies', () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const failed = new AggregateError([new Error('shard 7 failed', { cause: throttled })], '1 of 16 failed');
    const log = powertoolsLog('scanner');
    const lines = capture(() => {
      log.error('message returned to its queue', failed);
      log.warn('tried again', { error: new Error('no connection', { cause: failed }) });
    });
    const errors = [
      { message: 'shard 7 failed', cause: { name: 'ThrottlingException', message: 'slow down' } },
    ];
    expect(lines[0]).toMatchObject({ error: { name: 'AggregateError', message: '1 of 16 failed', errors } });
    expect(lines[1]).toMatchObject({ error: { message: 'no connection', cause: { errors } } });
  });

  it.each([[{ status: 400, detail: 'too many' }], [[1, 2]], [null], [7]])(
    'writes a cause that is no error, such as the body of an answer: %j',
    (cause) => {
      const log = powertoolsLog('canary');
      const [line] = capture(() => log.error('canary could not be registered', cause));
      expect(line!.cause).toEqual(typeof cause === 'object' && cause ? cause : String(cause));
    },
  );
});
