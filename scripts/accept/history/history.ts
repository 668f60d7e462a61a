import { everywhere, onAws, type Step } from '../check';
import { deadLetterAlarm, deadLetters } from './dead-letters';
import { silence, stopAndStart } from './maintenance';
import { asyncReport, fatal, lateReport, ordering, retried, slowTarget } from './outcomes';

export const history: Step = {
  name: 'history',
  title: 'History and faults: what is recorded, and what happens after failures',
  checks: [
    everywhere(
      'history/retry',
      'A target that answers 503 once is called again, and both are recorded',
      retried,
    ),
    everywhere('history/fatal', 'A target that answers 404 fails at once, and is listed as a failure', fatal),
    everywhere('history/async', 'A target that answers 202 ends the execution with its report', asyncReport),
    everywhere('history/late-report', 'A second report of one attempt is refused', lateReport),
    everywhere(
      'history/ordering',
      'Executions of one ordering key arrive in order of their due times',
      ordering,
    ),
    onAws('history/slow-target', 'A target that takes longer than a lease is called once', slowTarget),
    onAws('history/dead-letter-alarm', 'A dead letter sets its alarm off', deadLetterAlarm, 'disturb'),
    everywhere('history/redrive', 'A dead letter is seen, and moved back', deadLetters, 'disturb'),
    everywhere(
      'history/stop-start',
      'A stop disables the tick, and a start enables it',
      stopAndStart,
      'disturb',
    ),
    onAws(
      'history/silence',
      'In maintenance mode nothing starts; afterwards the jobs go on',
      silence,
      'disturb',
    ),
  ],
};
