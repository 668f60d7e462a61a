/** Bytes of a payload as JSON in UTF-8, before and after its templates are rendered. */
export const MAX_PAYLOAD_BYTES = 65_536;
/** Bytes of all names and values of a target's headers, before and after. */
export const MAX_HEADERS_BYTES = 8_192;

const PRINTABLE = /^[\t\u0020-\u007e]*$/;

/** Whether a text can be the value of a header: printable ASCII and tabs. */
export const isHeaderValue = (text: string): boolean => PRINTABLE.test(text);
