/** Said of what Resend has and this server has not, wherever a caller comes across it. */
export const thisServerHasNo = (what: string): string => `This server has no ${what}.`;
