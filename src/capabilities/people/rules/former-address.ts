/** The reason of the event `email-changed`: it names the address that the user had, who is told there. */
export const formerAddressReason = (address: string): string => `was ${address} before`;

/** The address in that reason. */
export const formerAddressIn = (reason = ''): string | undefined => /^was (.+) before$/.exec(reason)?.[1];
