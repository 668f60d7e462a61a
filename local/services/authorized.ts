import { type Access, SECURE } from '../iam/access';
import type { AwsCall, AwsReply, AwsService } from './aws-call';
import { awsError } from './aws-call';

/** A service that answers only what the caller's role allows. The operator, who has no role, owns the account. */
export function guarded<Service extends AwsService>(service: Service, access: Access): AwsService {
  return {
    ...service,
    async call(call: AwsCall): Promise<AwsReply> {
      const { roleArn, functionName } = call.caller;
      if (roleArn === undefined) return service.call(call);
      const needs = service.permissions(call);
      // What cannot be judged is refused: a call that is let through would say that the template allows it.
      if (needs.length === 0)
        return awsError(
          501,
          'NotImplementedException',
          `The local run cannot tell what ${service.targetPrefix}${call.action} needs to be allowed`,
        );
      const requests = needs.map((need) => ({ ...need, context: { ...SECURE, ...need.context } }));
      const refusal = access.refusal({ roleArn, name: functionName ?? 'operator' }, requests);
      return refusal ? service.denied(refusal) : service.call(call);
    },
  };
}
