import { later } from '../app/page';

/** Most jobs have no workflow: its editor is a file of its own. */
export const WorkflowEditor = later(async () => (await import('./workflow/workflow-editor')).default, 560);
