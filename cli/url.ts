/** Undefined if the text is no URL. */
export const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined;

/** Whether a URL leads to this machine. */
export const isLoopback = ({ hostname }: URL): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

const MAX_PORT = 65_535;

/** What is wrong with a text that is no URL of the web, and what to do. Undefined for one that is. */
export function faultOfUrl(text: string): { text: string; advice: string } | undefined {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return undefined;
  const [, port] = /^https?:\/\/[^/?#]*:(\d+)(?:[/?#]|$)/i.exec(text) ?? [];
  if (port !== undefined && Number(port) > MAX_PORT)
    return { text: `the port of the URL is ${port}; expected 1 to ${MAX_PORT}`, advice: 'correct the port' };
  return {
    text: `the URL is ${JSON.stringify(text)}; expected one that begins with https:// or http://`,
    advice: `give it as ${withScheme(text)}`,
  };
}

/** What a text that is no URL of the web was probably meant to be: `https://host`. */
function withScheme(text: string): string {
  const rest = text.replace(/^.*:\/\//, '');
  const local = `http://${rest}`;
  return URL.canParse(local) && isLoopback(new URL(local)) ? local : `https://${rest}`;
}
