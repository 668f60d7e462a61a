/**
 * What is loaded and made once, when it is first asked for: for what few invocations of a function need, so that its cold
 * starts do not pay for it. A load that failed is tried again.
 */
export function onFirstUse<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return async () => {
    made ??= make();
    try {
      return await made;
    } catch (error) {
      made = undefined;
      throw error;
    }
  };
}
