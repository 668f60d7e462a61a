import { awsConsole } from '../aws-console';

/**
 * Where a dashboard of CloudWatch is shown, in the console of its partition. Its names have no slash: a text
 * that begins with one is the path of another page, and stays as it is.
 */
export function dashboardUrl(dashboard: string, region: string): string {
  if (dashboard.startsWith('/')) return dashboard;
  return `${awsConsole(region)}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard}`;
}
