import type { Arrival } from './receiver';

/** How a delivery is answered, and its row. Header names are lower case. */
export function receive(request: {
  path: string;
  headers: Readonly<Record<string, string | undefined>>;
  atMs: number;
}): { status: number; waitMs: number; arrival: Arrival };
