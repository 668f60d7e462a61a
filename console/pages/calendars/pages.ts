/** The pages of calendars, as one file: they share most of what they load. */
export { default as Calendar } from './calendar';
export { default as Calendars } from './calendars';
export { default as NewCalendar } from './new-calendar';
