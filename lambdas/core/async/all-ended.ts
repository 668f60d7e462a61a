/**
 * As `Promise.all`, but rejects only when all have ended, with the first failure in their order. So no write
 * goes on after the answer of its invocation.
 */
export async function allEnded<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
