import type { CronField } from './cron-field';
import { DAY_OF_MONTH, itemsOf, valuesOfItem, YEAR } from './cron-field';

/**
 * A field as `*`, or as values and ranges, in order and without zeros before them. A step stays if it is
 * alone: every fifth minute. In a list it becomes the values that it means.
 */
export function valuesIn(text: string, field: CronField): string {
  const items = itemsOf(text, field);
  const values = distinct(items.flatMap((item) => valuesOfItem(item, field))).sort((a, b) => a - b);
  if (values.length === field.count) return '*';
  if (values.length === 1) return String(values[0]);
  if (items.some((item) => item.includes('/')))
    return items.length === 1 ? steppedIn(items[0]!, field) : values.join(',');
  const numbers = items.map((item) => item.replace(/\d+/g, (digits) => String(Number(digits))));
  return distinct(numbers)
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .join(',');
}

/** `*\/5`, `3/5`, `3-17/5`; without the step if it is 1. Steps of years have two ends: they are no cycle. */
function steppedIn(item: string, field: CronField): string {
  const [base = '', step] = item
    .split('/')
    .map((part) => part.replace(/\d+/g, (text) => String(Number(text))));
  const isOpen = !base.includes('-');
  const first = base === '*' ? String(field.min) : base;
  if (step === '1') return isOpen ? `${first}-${field.max}` : base;
  if (!isOpen) return `${base}/${step}`;
  if (field === YEAR) return `${first}-${field.max}/${step}`;
  return Number(first) === field.min ? `*/${step}` : `${base}/${step}`;
}

export const distinct = <T>(all: readonly T[]): T[] => [...new Set(all)];

/** `L`, `LW`, `15W` and `L-3` stay as they are. */
export function monthDaysIn(text: string): string {
  if (text === '?') return '*';
  const items = distinct(text.split(','));
  const special = items.filter((item) => /[LW]/.test(item));
  const plain = items.filter((item) => !/[LW]/.test(item));
  if (plain.length === 0) return special.join(',');
  const days = valuesIn(plain.join(','), DAY_OF_MONTH);
  if (special.length === 0 || days === '*') return days;
  const listed = days.includes('/') ? valuesOfItem(days, DAY_OF_MONTH).join(',') : days;
  return [listed, ...special].join(',');
}
