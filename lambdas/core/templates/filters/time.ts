import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../clock/clock';
import { parseTimeZone } from '../../schedule/time-zone';
import type { Zone } from '../../schedule/zone';
import {
  asTemplateError,
  endOf,
  instantOf,
  later,
  laterByCalendar,
  type Moment,
  momentText,
  parseMoment,
  startOf,
  type Unit,
  UNITS,
  wallTimeOf,
} from '../moment';
import { type MomentFormat, parseFormat } from '../moment-format';
import type { Json } from '../syntax';
import { shown, TemplateError } from '../template-error';
import { type Filter, filterOf, type Parameter, textIn, wrongKind } from './filter';

const ZONE: Parameter<Zone> = {
  read: (value) => asTemplateError(() => parseTimeZone(textIn(value))),
  absent: ({ zone }) => zone,
};

const FORMAT: Parameter<MomentFormat> = { read: (value) => parseFormat(textIn(value)) };

const UNIT: Parameter<Unit> = {
  read: (value) => UNITS.find((unit) => unit === value) ?? wrongKind(`one of ${UNITS.join(', ')}`, value),
};

type Shift = (moment: Moment, zone: Zone) => Moment;

const SHIFT = /^([+-]?\d{1,9})([smhdwMy])$/;

const SHIFTS: Readonly<Record<string, (count: number) => Shift>> = {
  s: (count) => (moment, zone) => later(moment, count * SECOND_MS, zone),
  m: (count) => (moment, zone) => later(moment, count * MINUTE_MS, zone),
  h: (count) => (moment, zone) => later(moment, count * HOUR_MS, zone),
  d: (count) => (moment, zone) => laterByCalendar(moment, { days: count }, zone),
  w: (count) => (moment, zone) => laterByCalendar(moment, { days: 7 * count }, zone),
  M: (count) => (moment, zone) => laterByCalendar(moment, { months: count }, zone),
  y: (count) => (moment, zone) => laterByCalendar(moment, { months: 12 * count }, zone),
};

const AMOUNT: Parameter<Shift> = {
  read(value) {
    const [, count, unit] = SHIFT.exec(textIn(value)) ?? [];
    if (count !== undefined) return SHIFTS[unit!]!(Number(count));
    throw new TemplateError(
      `needs a whole number and one of s m h d w M y, such as '-1d', not ${shown(value)}`,
    );
  },
};

const momentIn = (value: Json, zone: Zone): Moment => parseMoment(textIn(value), zone);

export const TIME_FILTERS: Readonly<Record<string, Filter>> = {
  date: filterOf([FORMAT, ZONE], (value, format: MomentFormat, zone: Zone) =>
    format(wallTimeOf(momentIn(value, zone), zone)),
  ),
  shift: filterOf([AMOUNT, ZONE], (value, shift: Shift, zone: Zone) =>
    momentText(shift(momentIn(value, zone), zone)),
  ),
  startOf: filterOf([UNIT, ZONE], (value, unit: Unit, zone: Zone) =>
    momentText(startOf(momentIn(value, zone), unit, zone)),
  ),
  endOf: filterOf([UNIT, ZONE], (value, unit: Unit, zone: Zone) =>
    momentText(endOf(momentIn(value, zone), unit, zone)),
  ),
  epoch: {
    parameters: [],
    apply: (value, _, { zone }) => Math.floor(instantOf(momentIn(value as Json, zone), zone) / SECOND_MS),
  },
};
