/** Attributes of a mail, by which the subscriptions of addresses filter. The project is percent-encoded. */
export const emailAttributesOf = (project: string, to: string): Record<'project' | 'to', string> => ({
  project: encodeURIComponent(project),
  to,
});

/** The project in the filter of a subscription. */
export const projectIn = (filterPolicy: string): string =>
  decodeURIComponent((JSON.parse(filterPolicy) as { project: [string] }).project[0]);
