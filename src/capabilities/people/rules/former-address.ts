/** The reason of the event `email-changed`. It names the former address of the user, to which the notice goes. */
export const formerAddressReason = (address: string): string => `was ${address} before`;

/** The address in that reason. */
export const formerAddressIn = (reason = ''): string | undefined => /^was (.+) before$/.exec(reason)?.[1];
