/** Undefined if the text is no URL. */
export const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined;

/** Whether a URL leads to this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

export const isWebUrl = (url: string): boolean =>
  URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** What a text that is no URL of the web was probably meant to be: `https://host`. */
export function withScheme(text: string): string {
  const rest = text.replace(/^.*:\/\//, '');
  const local = `http://${rest}`;
  return URL.canParse(local) && isLoopback(new URL(local)) ? local : `https://${rest}`;
}
