import type { Code, Credentials, ListedActionDefinition, TicketGiven } from '../src/client/shapes.ts';

/** A value of this type, whose members the compiler then writes out in place of the type's name. */
declare function shown<T>(): { [K in keyof T]: T[K] };

// The types of `src/client/shapes.ts`, written out: the published client names no file of the server.
export const credentials = shown<Credentials>();
export const ticketGiven = shown<TicketGiven>();
export const listedActionDefinition = shown<ListedActionDefinition>();
export const code = shown<Record<Code, true>>();
