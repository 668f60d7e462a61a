import type { JobDefinition } from '../../../client/browser';
import { Card } from '../../parts/card';
import { TextInput } from './text-input';

interface JobJsonProps {
  definition: JobDefinition;
  onChange(definition: JobDefinition): void;
  rows: number;
}

/** The whole definition as JSON, beside its form. What is typed in one of them stands in the other. */
export const JobJson = ({ definition, onChange, rows }: JobJsonProps) => (
  <Card part="job-json" title="JSON">
    <TextInput
      field={{ path: '', label: 'Definition', kind: 'object', isRequired: true, rows }}
      place={{
        value: definition,
        onChange: (value) => onChange(value as JobDefinition),
        path: '',
        problem: () => undefined,
      }}
    />
  </Card>
);
