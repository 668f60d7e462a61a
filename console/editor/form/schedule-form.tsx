import type { Schedule } from '../../../client/browser';
import { KindForm } from './fields-form';
import { SCHEDULE_KINDS } from './schedule-kinds';
import type { ProblemAt } from './text-input';

interface ScheduleFormProps {
  schedule: Schedule;
  onChange(schedule: Schedule): void;
  problem: ProblemAt;
}

const KIND = { label: 'Kind', kinds: SCHEDULE_KINDS };

/** The kind of a schedule, and the fields of that kind. */
export const ScheduleForm = ({ schedule, onChange, problem }: ScheduleFormProps) => (
  <div class="form" data-part="schedule-form">
    <KindForm
      field={KIND}
      place={{ value: schedule, onChange: (value) => onChange(value as Schedule), path: 'schedule', problem }}
    />
  </div>
);
