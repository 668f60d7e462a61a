export const STAGES = ['api', 'tick', 'scanner', 'executor', 'sweeper', 'auditor'] as const;
export type Stage = (typeof STAGES)[number];
