/** Message for a feature that Resend has and this server lacks. */
export const thisServerHasNo = (what: string): string => `This server has no ${what}.`;
