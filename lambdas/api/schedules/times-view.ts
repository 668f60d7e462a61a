import { instantText } from '../../core/clock/clock';
import type { TimesView } from '../../core/http/times-answers';
import type { PreviewedTime } from '../../core/schedule/preview';

export const timesView = (times: readonly PreviewedTime[]): TimesView['times'] =>
  times.map(({ atMs, local, note }) => ({
    at: instantText(atMs),
    local,
    ...(note === undefined ? {} : { note }),
  }));
