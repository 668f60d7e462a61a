/** Attributes of a mail, by which the subscriptions of addresses filter. The project is percent-encoded. */
export const emailAttributesOf = (project: string, to: string): Record<'project' | 'to', string> => ({
  project: encodeURIComponent(project),
  to,
});
