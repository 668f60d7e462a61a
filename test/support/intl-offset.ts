/** Wall time minus UTC, spelled out by Intl. */
export function intlOffset(name: string): (sec: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (sec) => Date.parse(`${format.format(sec * 1000).replace(' ', 'T')}Z`) / 1000 - sec;
}
