/** A name of a transport: 1 to 100 visible ASCII characters. */
export const TRANSPORT_NAME = /^[!-~]{1,100}$/;
