/**
 * Takes the place of `client/response-shape` in the bundle: the console is served by the API that it asks.
 */
export const faultOf = (body: unknown): string | undefined => (body ? undefined : 'is empty');
