import { denialMessage } from '../iam/access';
import type { Schedules } from '../sources/schedules';
import type { ScheduleSpec } from '../template/stack';
import { type AwsReply, type AwsService, awsError } from './aws-call';

const SCHEDULE = /^\/schedules\/([^/]+)$/;
const OPERATIONS: Readonly<Record<string, string>> = { GET: 'GetSchedule', PUT: 'UpdateSchedule' };
/** Required fields of an update. The service resets omitted optional fields to their defaults. */
const REQUIRED = ['FlexibleTimeWindow', 'ScheduleExpression', 'Target'];

/** EventBridge Scheduler's `GetSchedule` and `UpdateSchedule`, for the schedules of the stack. */
export function scheduler(live: Pick<Schedules, 'get' | 'replace'>): AwsService {
  const find = (path: string) => live.get(decodeURIComponent(SCHEDULE.exec(path)?.[1] ?? ''));

  const update = (spec: ScheduleSpec, body: Record<string, unknown>): AwsReply => {
    const missing = REQUIRED.filter((field) => body[field] === undefined);
    if (missing.length > 0)
      return awsError(400, 'ValidationException', `required fields are missing: ${missing.join(', ')}`);
    const { ScheduleExpression: expression, Target: target } = body as {
      ScheduleExpression: string;
      Target: { Arn: string; RoleArn: string; Input?: string };
    };
    const isSame =
      expression === spec.expression && target.Arn === spec.functionArn && target.RoleArn === spec.roleArn;
    if (!isSame)
      return awsError(
        501,
        'NotImplementedException',
        'The local run can change only the state and the input of a schedule',
      );
    const { ClientToken: _, ...definition } = body;
    live.replace(spec.name, {
      ...spec,
      input: target.Input ?? '{}',
      enabled: (definition.State ?? 'ENABLED') === 'ENABLED',
      definition: { ...definition, Name: spec.name },
    });
    return json({ ScheduleArn: spec.arn });
  };

  return {
    targetPrefix: 'AWSChronosService.',
    operationOf: (method, path) => (SCHEDULE.test(path) ? OPERATIONS[method] : undefined),
    async call({ action, path, body }) {
      const spec = find(path);
      if (!spec) return awsError(404, 'ResourceNotFoundException', `Schedule ${path} does not exist.`);
      if (action === 'GetSchedule') return json({ Arn: spec.arn, GroupName: 'default', ...spec.definition });
      return update(spec, JSON.parse(body) as Record<string, unknown>);
    },
    permissions({ action, path, body }) {
      const spec = find(path);
      const operation = { action: `scheduler:${action}`, resource: spec?.arn ?? path };
      if (action !== 'UpdateSchedule') return [operation];
      const { Target } = JSON.parse(body) as { Target?: { RoleArn?: string } };
      // An update sets the schedule's role, so the caller also needs permission to pass that role.
      const context = { 'iam:passedtoservice': 'scheduler.amazonaws.com' };
      return [operation, { action: 'iam:PassRole', resource: String(Target?.RoleArn), context }];
    },
    denied: (denial) => awsError(403, 'AccessDeniedException', denialMessage(denial)),
    async stop() {},
  };
}

const json = (body: object): AwsReply => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
