import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';

import { Metric } from '../../../../lambdas/core/contracts/metrics';
import { powertoolsLog } from '../../../../lambdas/core/runtime/logger';
import { powertoolsMeter } from '../../../../lambdas/core/runtime/meter';

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
  const meter = () =>
    powertoolsMeter('scanner', new Metrics({ namespace: 'Quarterjack', serviceName: 'scanner' }));

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
      service: 'scanner',
      OccurrencesDue: 5,
      LatenessMs: [12, 40],
      CursorLagSec: 2,
    });
    const [directive] = (line!._aws as { CloudWatchMetrics: Record<string, unknown>[] }).CloudWatchMetrics;
    expect(directive).toMatchObject({ Namespace: 'Quarterjack', Dimensions: [['service']] });
    expect(directive!.Metrics).toEqual(
      expect.arrayContaining([
        { Name: 'OccurrencesDue', Unit: 'Count' },
        { Name: 'LatenessMs', Unit: 'Milliseconds' },
        { Name: 'CursorLagSec', Unit: 'Seconds' },
      ]),
    );
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
    const log = powertoolsLog('executor', new Logger({ serviceName: 'executor' }));
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
});
