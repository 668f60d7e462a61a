/** Undefined if the text is no URL. */
export const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined;

/** Whether a URL leads to this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
