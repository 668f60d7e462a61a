/** `1 job`, `2 jobs`. */
export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
