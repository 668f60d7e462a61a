import type { WorkflowCheck } from '../../../client/browser';
import { type JsonText, lineAt, nodeAt } from './json-text';

/** What is wrong with a workflow that is typed, and where. */
export interface Problem {
  /** The dotted path of the API; empty for what is no JSON. */
  path: string;
  message: string;
  at: number;
  line: number;
}

/** What is wrong with a text: as JSON, and else as a workflow, as the API says. */
export function problemsOf(
  text: string,
  { root, fault, repeated }: JsonText,
  errors: WorkflowCheck['errors'],
): Problem[] {
  const at = (place: number, path: string, message: string): Problem => ({
    path,
    message,
    at: place,
    line: lineAt(text, place),
  });
  if (fault) return [at(fault.at, '', fault.message)];
  return [
    ...repeated.map((one) => at(one.at, '', one.message)),
    ...errors.map(({ path, message }) => {
      const [first, ...steps] = path.split('.');
      const place = first === 'workflow' ? nodeAt(root, steps).from : 0;
      return at(place, first === 'workflow' ? steps.join('.') : path, message);
    }),
  ].toSorted((a, b) => a.at - b.at);
}
