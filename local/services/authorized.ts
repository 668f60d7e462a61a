import { type Access, SECURE_TRANSPORT } from '../iam/access';
import { type AwsCall, type AwsReply, type AwsService, awsError } from './aws-call';

/**
 * The service, restricted to what the caller's role permits. The operator has no role and may do everything.
 */
export function authorized(service: AwsService, access: Access): AwsService {
  return {
    ...service,
    async call(call: AwsCall): Promise<AwsReply> {
      const { roleArn, functionName, ...session } = call.caller;
      if (roleArn === undefined) return service.call(call);
      const needed = service.permissions(call);
      // Denied rather than let through: a passed call would suggest that the template permits it.
      if (needed.length === 0)
        return awsError(
          501,
          'NotImplementedException',
          `The local run does not know which permissions ${service.targetPrefix}${call.action} needs`,
        );
      const requests = needed.map((one) => ({ ...one, context: { ...SECURE_TRANSPORT, ...one.context } }));
      const denial = access.denial({ ...session, roleArn, name: functionName ?? 'operator' }, requests);
      return denial ? service.denied(denial) : service.call(call);
    },
  };
}
