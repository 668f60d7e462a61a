import type { TimesView } from '../core/contracts/http/answers';
import type { PreviewedTime } from '../core/domain/schedule/preview';
import { instantText } from './instants';

export const timesView = (times: readonly PreviewedTime[]): TimesView['times'] =>
  times.map(({ atMs, local, note }) => ({
    at: instantText(atMs),
    local,
    ...(note === undefined ? {} : { note }),
  }));
