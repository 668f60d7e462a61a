import { partitionOf } from '../../core/delivery/arn';

const CONSOLES = {
  aws: 'console.aws.amazon.com',
  'aws-cn': 'console.amazonaws.cn',
  'aws-us-gov': 'console.amazonaws-us-gov.com',
} as const;

/**
 * Where a dashboard of CloudWatch is shown, in the console of its partition. Its names have no slash: a text
 * that begins with one is the path of another page, and stays as it is.
 */
export function dashboardUrl(dashboard: string, region: string): string {
  if (dashboard.startsWith('/')) return dashboard;
  const host = `${region}.${CONSOLES[partitionOf(region)]}`;
  return `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard}`;
}
