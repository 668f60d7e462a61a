/** The priorities of executions, the first one first, as options of a choice. */
export const PRIORITIES = (['highest', 'high', 'medium', 'low', 'lowest'] as const).map(
  (one) => [one, one] as const,
);
